// SPDX-License-Identifier: Apache-2.0
// What a model is made of: the columns, the forest, the counts, and what is worked out from them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"
#include "pidforest/model.h"

namespace pidforest {

/// The columns that a forest has been grown on, and which of them is each axis.
struct Axes {
  std::vector<std::string> column_names;
  std::vector<std::size_t> column_of_axis;

  bool operator==(const Axes&) const = default;
};

struct Model::State {
  Options options;
  Axes axes;
  std::shared_ptr<const forest::Forest> forest;
  /// Worked out from the forest, for speed.
  std::shared_ptr<const forest::CodeBook> book;
  Counts counts;
  forest::ScoreTables tables;
  std::optional<double> threshold;
};

}  // namespace pidforest
