// SPDX-License-Identifier: Apache-2.0
#include "explain/pair_reasons.h"

#include "forest/aggregate.h"
#include "forest/chosen_rows.h"
#include "forest/score.h"
#include "geometry/logarithm.h"
#include "model/roots.h"
#include "pairs/find_pairs.h"
#include "schema/encoded_table.h"

namespace pidforest::explain {

using pairs::RarePair;

PairReasons::PairReasons(const model::State& state, const Space& space)
    : state_(state), space_(space), n_rows_(state.pairs.n_rows()) {
  for (const RarePair& pair : state.pairs.all()) {
    n_inside_.push_back(pair.n_rows);
    n_unrelated_.push_back(pair.n_unrelated);
  }
}

void PairReasons::recount(const Batches& rows, const Run& run) {
  std::vector<pairs::RarePairs::Count> counts(state_.pairs.all().size());
  if (counts.empty()) return;
  schema::EncodedBatches(state_.encoder, rows).for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
    state_.pairs.count(model::in_order(batch, state_.axis_order), counts, part);
  });
  n_rows_ = rows.n_rows();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    n_inside_[i] = counts[i].both;
    n_unrelated_[i] =
        static_cast<double>(counts[i].first) * static_cast<double>(counts[i].second) / static_cast<double>(n_rows_);
  }
}

std::vector<std::optional<std::uint32_t>> PairReasons::reasons_of(const forest::Rows& rows, const Run& run) const {
  std::vector<std::optional<std::uint32_t>> reasons(rows.n);
  state_.pairs.for_each_row(rows, run, [&](std::size_t row, std::size_t place) {
    if (witness(static_cast<std::uint32_t>(place)).bits >= pairs::least_bits)
      reasons[row] = static_cast<std::uint32_t>(place);
  });
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < rows.n; ++row)
    if (reasons[row]) numbers.push_back(row);
  const forest::CopiedRows some(rows, numbers);
  std::vector<double> by_trees(numbers.size());
  forest::score_rows(*state_.forest, *state_.book, state_.tables, state_.options, some.rows(), by_trees, run);
  const double start = forest::head_start(state_.options);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (by_trees[i] > state_.pairs.all()[*reasons[numbers[i]]].bits + start) reasons[numbers[i]].reset();
  return reasons;
}

geometry::Parts PairReasons::parts_of(std::uint32_t place) const {
  const RarePair& pair = state_.pairs.all()[place];
  geometry::Parts parts;
  for (const pairs::Group& group : {pair.first, pair.second}) {
    const schema::AxisInfo& info = space_.encoder.axes()[space_.axis_order[group.axis]];
    const geometry::Interval& root = space_.root[group.axis];
    parts.push_back(geometry::part_between(group.axis, model::kind_of(info, root), group.values(), root));
  }
  return parts;
}

Witness PairReasons::witness(std::uint32_t place) const {
  Witness witness = witness_of(parts_of(place), n_inside_[place], n_rows_, space_);
  witness.n_unrelated = n_unrelated_[place];
  witness.bits = geometry::bits_of(geometry::portable_log2(n_unrelated_[place] / static_cast<double>(n_rows_)),
                                   n_inside_[place], n_rows_);
  return witness;
}

}  // namespace pidforest::explain

namespace pidforest {

std::vector<Witness> rare_pairs(const Model& model) {
  const model::State& state = model::state_of(model);
  const explain::Space space{state.encoder, state.axis_order, state.forest->root};
  const explain::PairReasons reasons(state, space);
  std::vector<Witness> witnesses;
  for (std::uint32_t i = 0; i < state.pairs.all().size(); ++i) witnesses.push_back(reasons.witness(i));
  return witnesses;
}

}  // namespace pidforest
