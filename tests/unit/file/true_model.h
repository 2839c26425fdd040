// SPDX-License-Identifier: Apache-2.0
// A small genuine model, from which the tests forge files.
#pragma once

#include "forged_file.h"
#include "random_table.h"

namespace pidforest {

/// A genuine model with numbers, missing values, a category and a circle.
inline const Model& true_model() {
  static const Model model =
      random_table({ColumnSort::sometimes_missing, ColumnSort::category, ColumnSort::cyclic}, 300, 3)
          .fit({.n_estimators = 3,
                .related_share = 0,
                .isolated = false,
                .rare_pairs = false,
                .contamination = 0.05,
                .reasons = false});
  return model;
}
inline ForgedFile true_file() { return ForgedFile(true_model().to_bytes()); }

}  // namespace pidforest
