// SPDX-License-Identifier: Apache-2.0
#include "model/outer_survey.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "system/parallel.h"

namespace pidforest::model {

using geometry::ColumnLanes;

namespace {

/// Few enough rows for all of their values to stay in the cache.
constexpr std::size_t stretch_rows = 16;

/// Some adjacent columns of a few rows, as the rows of a small table that fill vectors.
struct Stretch {
  const double* first = nullptr;
  std::ptrdiff_t stride = ColumnLanes::n;
  std::array<double, stretch_rows * ColumnLanes::n> copied;

  /// Views the columns if they are adjacent in every row, and copies them otherwise. Missing values stand for columns
  /// beyond the last.
  Stretch(std::span<const Column> columns, std::size_t begin, std::size_t n_rows) {
    const auto is_next = [&](const Column& column) {
      return column.stride == columns[0].stride && column.first == columns[0].first + (&column - columns.data());
    };
    if (columns.size() == ColumnLanes::n && std::ranges::all_of(columns, is_next)) {
      first = columns[0].first + static_cast<std::ptrdiff_t>(begin) * columns[0].stride;
      stride = columns[0].stride;
      return;
    }
    first = copied.data();
    copied.fill(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t i = 0; i < n_rows; ++i) copied[i * ColumnLanes::n + j] = columns[j].number(begin + i);
  }
};

/// The values of evenly spaced rows, without missing ones, in increasing order.
std::vector<double> probe(const Column& column, std::size_t n_rows, std::size_t n_probes) {
  std::vector<double> values;
  values.reserve(n_probes);
  for (std::size_t i = 0; i < n_probes; ++i)
    if (const double x = column.number(i * n_rows / n_probes); x == x) values.push_back(x);
  geometry::sort_up(values);
  return values;
}

/// The number of probes beyond a bar that has enough values beyond it in about 999 of 1,000 columns: three standard
/// deviations more than there are among the outermost values on average.
std::size_t n_probes_beyond(std::size_t n_outer, std::size_t n_rows, std::size_t n_probes) {
  const double mean = static_cast<double>(n_outer * n_probes) / static_cast<double>(n_rows);
  return static_cast<std::size_t>(mean + 3 * std::sqrt(mean) + 1.5);
}

}  // namespace

OuterSurvey::OuterSurvey(std::span<const schema::AxisInfo> infos, std::size_t n_outer) {
  for (const schema::AxisInfo& info : infos) ends_.emplace_back(info.kind == geometry::AxisKind::ordered ? n_outer : 0);
}

bool OuterSurvey::Ends::add(double x) {
  const bool has_risen = highest.add(x);
  return lowest.add(-x) || has_risen;
}

void OuterSurvey::Ends::merge(const Ends& other) {
  highest.merge(other.highest);
  lowest.merge(other.lowest);
}

OuterSurvey::Found::Found(std::vector<Ends> of_axes)
    : ends(std::move(of_axes)), lanes((ends.size() + ColumnLanes::n - 1) / ColumnLanes::n) {
  for (std::size_t axis = 0; axis < ends.size(); ++axis) set_bars(axis);
}

void OuterSurvey::Found::set_bars(std::size_t axis) {
  lanes[axis / ColumnLanes::n].high_bar[axis % ColumnLanes::n] = ends[axis].highest.bar();
  lanes[axis / ColumnLanes::n].low_bar[axis % ColumnLanes::n] = -ends[axis].lowest.bar();
}

void OuterSurvey::Found::add(const Table& encoded, std::size_t begin, std::size_t n_rows) {
  std::array<std::uint8_t, stretch_rows> beyond{};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::size_t first_axis = i * ColumnLanes::n;
    const std::size_t n = std::min(ColumnLanes::n, ends.size() - first_axis);
    const Stretch stretch(std::span(encoded.columns()).subspan(first_axis, n), begin, n_rows);
    geometry::widen_lanes(stretch.first, stretch.stride, lanes[i], std::span(beyond).first(n_rows));
    // Eight rows at once: loops of few steps end when a processor does not expect it.
    const auto words = std::bit_cast<std::array<std::uint64_t, stretch_rows / ColumnLanes::n>>(beyond);
    for (std::size_t word = 0; word < words.size(); ++word)
      for (std::uint64_t left = words[word]; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
        const std::size_t row = word * ColumnLanes::n + bit / ColumnLanes::n;
        const std::size_t lane = bit % ColumnLanes::n;
        const double x =
            stretch.first[static_cast<std::ptrdiff_t>(row) * stretch.stride + static_cast<std::ptrdiff_t>(lane)];
        if (ends[first_axis + lane].add(x)) set_bars(first_axis + lane);
      }
  }
}

/// A bar without enough values beyond it costs one more pass over the column, and changes no result.
std::vector<OuterSurvey::Bars> OuterSurvey::guess_bars(const Table& encoded) const {
  constexpr std::size_t n_probes = 512;
  constexpr std::size_t fewest_rows = 16 * n_probes;
  std::vector<Bars> bars;
  for (std::size_t axis = 0; axis < ends_.size(); ++axis) {
    const auto& [highest, lowest] = ends_[axis];
    Bars& own = bars.emplace_back(-lowest.bar(), highest.bar());
    if (highest.n() == 0 || encoded.n_rows() < fewest_rows) continue;
    const std::vector<double> values = probe(encoded.columns()[axis], encoded.n_rows(), n_probes);
    const std::size_t n_beyond = n_probes_beyond(highest.n(), encoded.n_rows(), n_probes);
    if (n_beyond >= values.size()) continue;
    const auto above = std::ranges::upper_bound(values, values[n_beyond - 1]);
    const auto below = std::ranges::lower_bound(values, values[values.size() - n_beyond]);
    if (above != values.end()) own.low = std::min(own.low, *above);
    if (below != values.begin()) own.high = std::max(own.high, *(below - 1));
  }
  return bars;
}

void OuterSurvey::add_left_out(const Table& encoded, std::size_t axis, const Bars& bars) {
  auto& [highest, lowest] = ends_[axis];
  const bool is_high_wrong = bars.high > highest.bar() && !highest.are_above(bars.high);
  const bool is_low_wrong = -bars.low > lowest.bar() && !lowest.are_above(-bars.low);
  if (!is_high_wrong && !is_low_wrong) return;
  for (std::size_t row = 0; row < encoded.n_rows(); ++row) {
    const double x = encoded.columns()[axis].number(row);
    if (is_high_wrong && x <= bars.high) highest.add(x);
    if (is_low_wrong && x >= bars.low) lowest.add(-x);
  }
}

std::vector<table::ColumnRange> OuterSurvey::add(const Table& encoded, const Run& run) {
  constexpr std::size_t task_rows = 16'384;
  const std::size_t n_tasks = (encoded.n_rows() + task_rows - 1) / task_rows;
  if (ends_.empty()) ends_.assign(encoded.n_columns(), Ends(0));
  const std::vector<Bars> bars = guess_bars(encoded);
  std::vector<Ends> empty;
  for (std::size_t axis = 0; axis < bars.size(); ++axis)
    empty.emplace_back(ends_[axis].highest.n(), bars[axis].low, bars[axis].high);
  std::vector<Found> by_worker(std::max(system::threads_for(run, n_tasks), 1U), Found(std::move(empty)));
  system::parallel_for(n_tasks, run, "reading columns", [&](std::size_t task, unsigned worker) {
    const std::size_t task_end = std::min((task + 1) * task_rows, encoded.n_rows());
    for (std::size_t begin = task * task_rows; begin < task_end; begin += stretch_rows)
      by_worker[worker].add(encoded, begin, std::min(stretch_rows, task_end - begin));
  });
  std::vector<table::ColumnRange> ranges(encoded.n_columns());
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    for (Found& own : by_worker) {
      ranges[axis].merge(own.range(axis));
      ends_[axis].merge(own.ends[axis]);
      own.ends[axis] = Ends(0);  // frees its memory
    }
    add_left_out(encoded, axis, bars[axis]);
  }
  return ranges;
}

void OuterSurvey::merge(const OuterSurvey& other) {
  if (ends_.empty()) ends_.assign(other.ends_.size(), Ends(0));
  for (std::size_t axis = 0; axis < other.ends_.size(); ++axis) ends_[axis].merge(other.ends_[axis]);
}

void OuterSurvey::add(std::span<const std::vector<double>> lowest, std::span<const std::vector<double>> highest) {
  for (std::size_t axis = 0; axis < std::min(ends_.size(), lowest.size()); ++axis) {
    for (const double x : lowest[axis]) ends_[axis].lowest.add(-x);
    for (const double x : highest[axis]) ends_[axis].highest.add(x);
  }
}

table::ColumnRange OuterSurvey::Found::range(std::size_t axis) const {
  const ColumnLanes& own = lanes[axis / ColumnLanes::n];
  const std::size_t lane = axis % ColumnLanes::n;
  return {own.least[lane], own.largest[lane], static_cast<std::size_t>(own.n_missing[lane])};
}

std::vector<double> OuterSurvey::lowest(std::size_t axis) const {
  std::vector<double> values = ends_[axis].lowest.sorted();
  for (double& x : values) x = 0.0 - x;
  return values;
}

std::vector<double> OuterSurvey::highest(std::size_t axis) const { return ends_[axis].highest.sorted(); }

}  // namespace pidforest::model
