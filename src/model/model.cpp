// SPDX-License-Identifier: Apache-2.0
#include "pidforest/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include "data/column_ranges.h"
#include "forest/count.h"
#include "forest/parallel.h"
#include "model/state.h"
#include "pidforest/error.h"

namespace pidforest {

using forest::Forest;
using forest::Rows;
using geometry::Interval;

namespace {

void check_shape(const Table& table) {
  if (table.n_columns() == 0) throw InvalidInput("the table has no columns; a fit needs at least one.");
  if (table.n_rows() == 0) throw InvalidInput("the table has no rows; a fit needs at least one.");
}

/// Half the gap between two neighbouring values, also where their difference overflows.
double half_gap(double lower, double upper) { return upper / 2 - lower / 2; }

/// The interval widened by half a gap at both ends.
Interval half_a_gap_beyond(const Interval& interval, const data::NextValues& next) {
  constexpr double farthest = std::numeric_limits<double>::max();
  return {std::max(interval.low - half_gap(interval.low, next.after_least), -farthest),
          std::min(interval.high + half_gap(next.before_largest, interval.high), farthest), interval.missing_share};
}

/// The range of every column, read a stretch of rows at a time.
std::vector<data::ColumnRange> find_ranges(const Table& table, const Run& run) {
  constexpr std::size_t stretch = 16;  // few enough for each row to be a stream of cache lines of its own
  constexpr std::size_t task_stretches = 1024;
  const std::size_t n_tasks = (table.n_rows() + stretch * task_stretches - 1) / (stretch * task_stretches);
  std::vector<std::vector<data::ColumnRange>> by_worker(forest::threads_for(run, n_tasks),
                                                        std::vector<data::ColumnRange>(table.n_columns()));
  forest::parallel_for(n_tasks, run, "reading columns", [&](std::size_t task, unsigned worker) {
    for (std::size_t i = 0; i < task_stretches; ++i) {
      const std::size_t begin = std::min((task * task_stretches + i) * stretch, table.n_rows());
      data::widen_ranges(table, begin, std::min(begin + stretch, table.n_rows()), by_worker[worker]);
    }
  });
  for (std::size_t worker = 1; worker < by_worker.size(); ++worker)
    for (std::size_t j = 0; j < table.n_columns(); ++j) by_worker[0][j].merge(by_worker[worker][j]);
  return by_worker[0];
}

struct Roots {
  Axes axes;
  std::vector<Interval> intervals;
};

/// One axis per column that has a value, those that vary before those that do not: a constant column then leaves the
/// numbers of the others, and with them their random draws, as they are.
Roots find_roots(const Table& table, const Options& options, const Run& run) {
  const std::vector<data::ColumnRange> ranges = find_ranges(table, run);
  Roots roots;
  for (const Column& column : table.columns()) roots.axes.column_names.push_back(column.name);
  for (const bool varying : {true, false})
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      const auto& [least, largest, n_missing] = ranges[j];
      const bool varies = least < largest || n_missing > 0;
      if (n_missing == table.n_rows() || varies != varying) continue;
      if (std::isinf(least) || std::isinf(largest)) data::refuse_infinite(table, j);
      Interval interval{least, largest, static_cast<double>(n_missing) / static_cast<double>(table.n_rows())};
      if (options.root_interval == RootInterval::half_gap)
        interval = half_a_gap_beyond(interval, data::next_values(table, j, ranges[j]));
      roots.axes.column_of_axis.push_back(j);
      roots.intervals.push_back(interval);
    }
  return roots;
}

Rows match_columns(const Axes& axes, const Table& table) {
  std::unordered_map<std::string_view, const Column*> by_name;
  for (const Column& column : table.columns()) by_name.emplace(column.name, &column);
  Rows rows{.n = table.n_rows(), .columns = {}};
  std::vector<const Column*> matched;
  for (const std::string& name : axes.column_names) {
    const auto found = by_name.find(name);
    if (found == by_name.end())
      throw InvalidInput(fmt::format("the table has no column '{}', which the model was fitted on.", name));
    matched.push_back(found->second);
  }
  for (const std::size_t j : axes.column_of_axis) rows.columns.push_back({matched[j]->first, matched[j]->stride});
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
  auto [axes, intervals] = find_roots(table, options, run);
  const Rows rows = match_columns(axes, table);
  const auto grown = std::make_shared<const Forest>(forest::grow_forest(rows, std::move(intervals), options, run));
  const auto book = std::make_shared<const forest::CodeBook>(*grown);
  State state{.options = options,
              .axes = std::move(axes),
              .forest = grown,
              .book = book,
              .counts = {},
              .tables = {},
              .threshold = {}};
  state.counts = forest::count_for_fit(*grown, *book, rows, options, run);
  state.tables = forest::score_tables(*grown, state.counts);
  if (options.contamination != Options::none) {
    std::vector<double> scores(rows.n);
    forest::score_rows(*grown, *book, state.tables, options, rows, scores, run);
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
  forest::score_rows(*state_->forest, *state_->book, state_->tables, state_->options,
                     match_columns(state_->axes, table), bits, run);
}

Counts Model::count(const Table& table, const Run& run) const {
  return forest::count_rows(*state_->forest, *state_->book, match_columns(state_->axes, table), run);
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
const std::vector<std::string>& Model::column_names() const { return state_->axes.column_names; }
std::optional<double> Model::threshold() const { return state_->threshold; }

bool Model::operator==(const Model& other) const {
  const State& a = *state_;
  const State& b = *other.state_;
  return a.options == b.options && a.axes == b.axes && *a.forest == *b.forest && a.counts == b.counts &&
         a.threshold == b.threshold;
}

}  // namespace pidforest
