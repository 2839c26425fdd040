// SPDX-License-Identifier: Apache-2.0
// The rare pairs of a model as witnesses: the reason for a row that owes its score to a pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "explain/wording.h"
#include "forest/rows.h"
#include "model/state.h"
#include "pairs/rare_pairs.h"
#include "pidforest/explain.h"

namespace pidforest::explain {

class PairReasons {
 public:
  /// Views the state and the space. The counts are those of the fitted rows.
  PairReasons(const model::State& state, const Space& space);

  /// Replaces the counts by those of other rows.
  void recount(const Batches& rows, const Run& run);

  /// The place of the pair that gives each row its score; nullopt for a row whose trees or isolated values give more,
  /// and for a pair that is not rare in the counted rows.
  [[nodiscard]] std::vector<std::optional<std::uint32_t>> reasons_of(const forest::Rows& rows, const Run& run) const;

  [[nodiscard]] Witness witness(std::uint32_t place) const;
  /// The parts that it has for conditions.
  [[nodiscard]] geometry::Parts parts_of(std::uint32_t place) const;

 private:
  const model::State& state_;
  const Space& space_;
  std::uint64_t n_rows_ = 0;
  /// The number of rows in each pair, and the number that would be there if its axes were unrelated.
  std::vector<std::uint64_t> n_inside_;
  std::vector<double> n_unrelated_;
};

}  // namespace pidforest::explain
