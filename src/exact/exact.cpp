// SPDX-License-Identifier: Apache-2.0
// PIDScore by definition: encodes the table, then searches all rows in rounds, each with more room for work than the
// last.
#include "pidforest/exact.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "exact/cell_table.h"
#include "exact/rounds.h"
#include "explain/wording.h"
#include "model/roots.h"
#include "pidforest/error.h"
#include "schema/encode.h"
#include "schema/encoded_table.h"
#include "schema/table_facts.h"

namespace pidforest {

namespace {

using exact::AxisCells;
using exact::CellTable;
using exact::FoundCube;

void check(const Batches& batches, const Schema& schema, std::span<const std::size_t> rows,
           const ExactOptions& options) {
  if (schema.columns.empty()) throw InvalidInput("the table has no columns; scoring requires at least one.");
  if (batches.n_rows() == 0) throw InvalidInput("the table has no rows; scoring requires at least one.");
  for (const std::size_t row : rows)
    if (row >= batches.n_rows())
      throw InvalidInput(fmt::format("the table has {} rows; there is no row {}.", batches.n_rows(), row + 1));
  if (options.top && *options.top == 0) throw InvalidOption("top must be at least 1; got 0.");
  if (options.seconds && !(*options.seconds > 0))
    throw InvalidOption(fmt::format("seconds must be more than 0; got {}.", *options.seconds));
}

/// A table prepared for a search: its axes with the root intervals of a fit, and the cells of its rows.
class SearchSpace {
 public:
  SearchSpace(const Batches& batches, const Schema& schema, IntervalEnds ends, const Run& run)
      : encoder_(schema::complete_schema(schema, batches)) {
    const schema::EncodedBatches encoded(encoder_, batches);
    std::vector<table::ColumnRange> ranges(encoder_.axes().size());
    std::vector<std::vector<double>> values(encoder_.axes().size());
    encoded.for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
      model::widen_axis_ranges(batch, part, ranges);
      for (std::size_t axis = 0; axis < values.size(); ++axis)
        for (std::size_t row = 0; row < batch.n_rows(); ++row)
          values[axis].push_back(batch.columns()[axis].number(row));
    });
    roots_ = model::find_roots(encoded, ranges, {}, run);
    std::vector<AxisCells> axes;
    for (std::size_t i = 0; i < roots_.axis_order.size(); ++i) {
      const std::size_t axis = roots_.axis_order[i];
      axes.push_back(exact::cells_of(encoder_.axes()[axis], roots_.intervals[i], values[axis], ends));
    }
    cells_.emplace(std::move(axes), batches.n_rows());
  }

  [[nodiscard]] const Schema& schema() const { return encoder_.schema(); }
  [[nodiscard]] const CellTable& cells() const { return *cells_; }
  [[nodiscard]] ExactScore score_of(const FoundCube& found) const {
    const explain::Space space{.encoder = encoder_, .axis_order = roots_.axis_order, .root = roots_.intervals};
    return {.bits = found.bits,
            .upper_bound = found.upper_bound,
            .is_optimal = found.is_optimal(),
            .cube = explain::witness_of(found.cube, found.n_inside, cells_->n_rows(), space)};
  }

 private:
  schema::Encoder encoder_;
  model::Roots roots_;
  std::optional<CellTable> cells_;
};

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

ExactScores exact_scores(const Batches& batches, const Schema& schema, std::span<const std::size_t> rows,
                         const ExactOptions& options, const Run& run) {
  check(batches, schema, rows, options);
  const SearchSpace space(batches, schema, options.ends, run);
  const std::vector<std::size_t> all = rows.empty() ? all_rows(batches.n_rows()) : std::vector<std::size_t>();
  ExactScores scores{.schema = space.schema(), .rows = {}};
  for (const FoundCube& found : exact::search_rows(space.cells(), rows.empty() ? all : rows, options, run))
    scores.rows.push_back(space.score_of(found));
  return scores;
}

}  // namespace pidforest
