// SPDX-License-Identifier: Apache-2.0
#include "pidforest/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "forest/aggregate.h"
#include "forest/attribute.h"
#include "forest/count.h"
#include "model/check_forest.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"

namespace pidforest {

namespace {

void check_same_forest(const Counts& a, const Counts& b) {
  const auto same_size = [](const auto& x, const auto& y) { return x.size() == y.size(); };
  if (!std::equal(a.trees.begin(), a.trees.end(), b.trees.begin(), b.trees.end(), same_size))
    throw InvalidInput("the counts belong to another forest: the numbers of nodes differ.");
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  check_same_forest(*this, other);
  for (std::size_t t = 0; t < trees.size(); ++t)
    std::transform(trees[t].begin(), trees[t].end(), other.trees[t].begin(), trees[t].begin(), std::plus<>());
  return *this;
}

forest::Rows model::in_order(const Table& encoded, const std::vector<std::size_t>& axis_order) {
  forest::Rows rows{.n = encoded.n_rows(), .columns = {}};
  for (const std::size_t axis : axis_order)
    rows.columns.push_back({encoded.columns()[axis].first, encoded.columns()[axis].stride});
  return rows;
}

void model::score_rows(const model::State& state, const forest::Rows& rows, std::span<double> bits, const Run& run) {
  forest::score_rows(*state.forest, *state.book, state.tables, state.options, rows, bits, run);
  pairs::raise_scores(state.pairs, rows, forest::head_start(state.options), bits, run);
}

void model::score_batches(const model::State& state, const schema::EncodedBatches& encoded, std::span<double> bits,
                          const Run& run) {
  encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
    model::score_rows(state, model::in_order(batch, state.axis_order), bits.subspan(begin, batch.n_rows()), part);
  });
}

Counts model::count_batches(const model::State& state, const schema::EncodedBatches& encoded, const Run& run) {
  Counts counts;
  encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
    Counts more = forest::count_rows(*state.forest, *state.book, model::in_order(batch, state.axis_order), part);
    if (begin == 0)
      counts = std::move(more);
    else
      counts += more;
  });
  return counts;
}

void model::attribute_rows(const State& state, const forest::Attribution& attribution, const forest::Rows& rows,
                           std::span<double> axis_bits, const Run& run) {
  attribution.attribute(rows, axis_bits, run);
  pairs::raise_axis_bits(state.pairs, rows, axis_bits, run);
}

void model::add_column_bits(const State& state, const forest::Attribution& attribution, const forest::Rows& rows,
                            std::span<double> bits, const Run& run) {
  const std::size_t n_columns = state.encoder.schema().columns.size();
  const std::size_t n_axes = state.axis_order.size();
  std::vector<double> axis_bits(rows.n * n_axes);
  attribute_rows(state, attribution, rows, axis_bits, run);
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    const std::size_t column = state.encoder.axes()[state.axis_order[axis]].column;
    for (std::size_t row = 0; row < rows.n; ++row) bits[row * n_columns + column] += axis_bits[row * n_axes + axis];
  }
}

Model::Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::vector<double> Model::score(const Batches& table, const Run& run) const {
  std::vector<double> bits(table.n_rows());
  score_into(bits, table, run);
  return bits;
}

void Model::score_into(std::span<double> bits, const Batches& table, const Run& run) const {
  if (bits.size() != table.n_rows())
    throw InvalidInput(
        fmt::format("bits must have room for {} scores, one per row; got {}.", table.n_rows(), bits.size()));
  model::score_batches(*state_, schema::EncodedBatches(state_->encoder, table), bits, run);
}

std::vector<double> Model::column_bits(const Batches& table, const Run& run) const {
  constexpr std::size_t most_rows = 16'384;  // so that the bits of their axes stay in the cache
  const std::size_t n_columns = schema().columns.size();
  const forest::Attribution attribution(*state_->forest, *state_->book, state_->tables);
  std::vector<double> bits(table.n_rows() * n_columns);
  schema::EncodedBatches(state_->encoder, table)
      .for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
        for (std::size_t first = 0; first < batch.n_rows(); first += most_rows) {
          const Table some = batch.rows(first, std::min(first + most_rows, batch.n_rows()));
          model::add_column_bits(*state_, attribution, model::in_order(some, state_->axis_order),
                                 std::span(bits).subspan((begin + first) * n_columns), part);
        }
      });
  return bits;
}

Counts Model::count(const Batches& table, const Run& run) const {
  return model::count_batches(*state_, schema::EncodedBatches(state_->encoder, table), run);
}

Model Model::with_counts(Counts counts) const {
  check_same_forest(state_->counts, counts);
  model::check_counts(*state_->forest, counts);
  State state = *state_;
  state.counts = std::move(counts);
  state.tables = forest::score_tables(*state.forest, state.counts);
  return Model(std::make_shared<const State>(std::move(state)));
}

const Counts& Model::counts() const { return state_->counts; }
const Options& Model::options() const { return state_->options; }
const Schema& Model::schema() const { return state_->encoder.schema(); }
std::optional<double> Model::threshold() const { return state_->threshold; }
bool Model::has_reasons() const { return state_->reasons != nullptr; }

bool Model::operator==(const Model& other) const {
  const State& a = *state_;
  const State& b = *other.state_;
  return a.options == b.options && a.encoder.schema() == b.encoder.schema() && a.axis_order == b.axis_order &&
         *a.forest == *b.forest && a.pairs == b.pairs && a.counts == b.counts && a.threshold == b.threshold &&
         a.tables.median_bits == b.tables.median_bits && (a.reasons == nullptr) == (b.reasons == nullptr) &&
         (a.reasons == nullptr || *a.reasons == *b.reasons);
}

}  // namespace pidforest
