// SPDX-License-Identifier: Apache-2.0
#include "pidforest/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "forest/count.h"
#include "model/encoded_table.h"
#include "model/roots.h"
#include "model/state.h"
#include "pidforest/error.h"

namespace pidforest {

using forest::Forest;
using forest::Rows;

namespace {

void check_shape(const Table& table) {
  if (table.n_columns() == 0) throw InvalidInput("the table has no columns; a fit needs at least one.");
  if (table.n_rows() == 0) throw InvalidInput("the table has no rows; a fit needs at least one.");
}

Rows in_order(const Table& encoded, const std::vector<std::size_t>& axis_order) {
  Rows rows{.n = encoded.n_rows(), .columns = {}};
  for (const std::size_t axis : axis_order)
    rows.columns.push_back({encoded.columns()[axis].first, encoded.columns()[axis].stride});
  return rows;
}

/// The least score such that at most `share` of the scores are larger. Side effect: reorders the scores.
double threshold_for(std::vector<double>& scores, double share) {
  const auto n_flagged = static_cast<std::size_t>(share * static_cast<double>(scores.size()));
  const auto nth = scores.begin() + static_cast<std::ptrdiff_t>(n_flagged);
  std::nth_element(scores.begin(), nth, scores.end(), std::greater<>());
  return *nth;
}

void check_same_forest(const Counts& a, const Counts& b) {
  const auto same_size = [](const auto& x, const auto& y) { return x.size() == y.size(); };
  if (!std::equal(a.trees.begin(), a.trees.end(), b.trees.begin(), b.trees.end(), same_size))
    throw InvalidInput("the counts were not counted with this forest: its trees have other numbers of nodes.");
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  check_same_forest(*this, other);
  for (std::size_t t = 0; t < trees.size(); ++t)
    std::transform(trees[t].begin(), trees[t].end(), other.trees[t].begin(), trees[t].begin(), std::plus<>());
  return *this;
}

Model::Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Model Model::fit(const Table& table, const Options& options, const Run& run) {
  validate(options);
  check_shape(table);
  return fit(table, infer_schema(table), options, run);
}

Model Model::fit(const Table& table, const Schema& schema, const Options& options, const Run& run) {
  validate(options);
  check_shape(table);
  State state{.options = options, .encoder = data::Encoder(data::complete_schema(schema, table))};
  const EncodedTable encoded(state.encoder, table, run);
  auto [axis_order, axes, intervals] = find_roots(state.encoder.axes(), encoded.table(), options, run);
  const Rows rows = in_order(encoded.table(), axis_order);
  state.axis_order = std::move(axis_order);
  state.forest = std::make_shared<const Forest>(forest::grow_forest(rows, axes, std::move(intervals), options, run));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.counts = forest::count_for_fit(*state.forest, *state.book, rows, options, run);
  state.tables = forest::score_tables(*state.forest, state.counts);
  if (options.contamination != Options::none) {
    std::vector<double> scores(rows.n);
    forest::score_rows(*state.forest, *state.book, state.tables, options, rows, scores, run);
    state.threshold = threshold_for(scores, options.contamination);
  }
  return Model(std::make_shared<const State>(std::move(state)));
}

std::vector<double> Model::score(const Table& table, const Run& run) const {
  std::vector<double> bits(table.n_rows());
  score(table, bits, run);
  return bits;
}

void Model::score(const Table& table, std::span<double> bits, const Run& run) const {
  if (bits.size() != table.n_rows())
    throw InvalidInput(
        fmt::format("bits must have room for {} scores, one per row; got {}.", table.n_rows(), bits.size()));
  for_each_batch(state_->encoder, table, run, [&](const Table& encoded, std::size_t begin, const Run& part) {
    forest::score_rows(*state_->forest, *state_->book, state_->tables, state_->options,
                       in_order(encoded, state_->axis_order), bits.subspan(begin, encoded.n_rows()), part);
  });
}

Counts Model::count(const Table& table, const Run& run) const {
  Counts counts;
  for_each_batch(state_->encoder, table, run, [&](const Table& encoded, std::size_t begin, const Run& part) {
    Counts more = forest::count_rows(*state_->forest, *state_->book, in_order(encoded, state_->axis_order), part);
    if (begin == 0)
      counts = std::move(more);
    else
      counts += more;
  });
  return counts;
}

Model Model::with_counts(Counts counts) const {
  check_same_forest(state_->counts, counts);
  State state = *state_;
  state.counts = std::move(counts);
  state.tables = forest::score_tables(*state.forest, state.counts);
  return Model(std::make_shared<const State>(std::move(state)));
}

const Counts& Model::counts() const { return state_->counts; }
const Options& Model::options() const { return state_->options; }
const Schema& Model::schema() const { return state_->encoder.schema(); }
std::optional<double> Model::threshold() const { return state_->threshold; }

bool Model::operator==(const Model& other) const {
  const State& a = *state_;
  const State& b = *other.state_;
  return a.options == b.options && a.encoder.schema() == b.encoder.schema() && a.axis_order == b.axis_order &&
         *a.forest == *b.forest && a.counts == b.counts && a.threshold == b.threshold;
}

}  // namespace pidforest
