// SPDX-License-Identifier: Apache-2.0
#include "model/axis_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "forest/forest.h"
#include "model/isolated_axes.h"
#include "model/roots.h"
#include "pidforest/error.h"
#include "reasons/reasons.h"

namespace pidforest::model {

namespace {

/// The axes whose outermost values are kept.
std::span<const schema::AxisInfo> axes_with_ends(const schema::Encoder& encoder, const Options& options) {
  return options.isolated ? std::span(encoder.axes()) : std::span<const schema::AxisInfo>();
}

[[noreturn]] void refuse_repeated(std::size_t row) {
  throw InvalidInput(fmt::format("row {} was added twice. Each row of the table belongs to one piece.", row + 1));
}

}  // namespace

void NumberedRows::merge(const NumberedRows& other) {
  if (other.numbers.empty()) return;
  if (values.empty()) values.resize(other.values.size());
  const std::size_t n = numbers.size();
  const bool is_after = n == 0 || numbers.back() < other.numbers.front();
  std::vector<std::size_t> order(n + other.numbers.size());  // places in both, one after the other
  std::iota(order.begin(), order.end(), std::size_t{0});
  numbers.insert(numbers.end(), other.numbers.begin(), other.numbers.end());
  if (!is_after) {
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(n);
    std::ranges::inplace_merge(order, middle, {}, [&](std::size_t place) { return numbers[place]; });
    std::ranges::inplace_merge(numbers, numbers.begin() + static_cast<std::ptrdiff_t>(n));
    if (const auto twice = std::ranges::adjacent_find(numbers); twice != numbers.end()) refuse_repeated(*twice);
  }
  std::vector<double> joined(is_after ? 0 : order.size());
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    values[axis].insert(values[axis].end(), other.values[axis].begin(), other.values[axis].end());
    if (is_after) continue;
    std::ranges::transform(order, joined.begin(), [&](std::size_t place) { return values[axis][place]; });
    values[axis] = joined;
  }
}

AxisSurvey::AxisSurvey(schema::Encoder encoder, std::size_t n_rows, const Options& options,
                       std::vector<std::size_t> wanted)
    : encoder_(std::move(encoder)),
      n_rows_(n_rows),
      options_(options),
      wanted_(std::move(wanted)),
      ranges_(encoder_.axes().size()),
      outer_(axes_with_ends(encoder_, options), geometry::n_outer(n_rows)) {
  if (options.root_interval == RootInterval::half_gap)
    for (const table::ColumnRange& range : ranges_) next_.push_back(table::next_values(range));
  copied_.values.resize(ranges_.size());
}

void AxisSurvey::add(const Table& encoded, std::size_t first_row, const Run& run) {
  const std::vector<table::ColumnRange> ranges = axis_ranges(encoded, run, outer_);
  std::vector<table::NextValues> next;
  for (std::size_t axis = 0; axis < next_.size(); ++axis)
    table::widen_next_values(encoded, axis, ranges[axis], next.emplace_back(table::next_values(ranges[axis])));
  add_ranges(ranges, next);
  n_added_ += encoded.n_rows();
  if (wanted_.empty())
    whole_ = encoded.columns();
  else
    copy_wanted(encoded, first_row);
}

void AxisSurvey::add_ranges(const std::vector<table::ColumnRange>& ranges, const std::vector<table::NextValues>& next) {
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    if (!next.empty()) table::merge_next_values(ranges[axis], next[axis], ranges_[axis], next_[axis]);
    ranges_[axis].merge(ranges[axis]);
  }
}

void AxisSurvey::copy_wanted(const Table& encoded, std::size_t first_row) {
  const auto first = std::ranges::lower_bound(wanted_, first_row);
  const auto last = std::ranges::lower_bound(wanted_, first_row + encoded.n_rows());
  if (first == last) return;
  NumberedRows own;
  const bool is_after = copied_.numbers.empty() || copied_.numbers.back() < *first;
  NumberedRows& copied = is_after ? copied_ : own;
  copied.values.resize(ranges_.size());
  copied.numbers.insert(copied.numbers.end(), first, last);
  for (std::size_t axis = 0; axis < ranges_.size(); ++axis)
    for (auto number = first; number != last; ++number)
      copied.values[axis].push_back(encoded.columns()[axis].number(*number - first_row));
  if (!is_after) copied_.merge(own);
}

void AxisSurvey::merge(const AxisSurvey& other) {
  copied_.merge(other.copied_);
  add_ranges(other.ranges_, other.next_);
  outer_.merge(other.outer_);
  n_added_ += other.n_added_;
}

void AxisSurvey::add(Found found) {
  copied_.merge(found.copied);
  add_ranges(found.ranges, found.next);
  outer_.add(found.lowest, found.highest);
  n_added_ += found.n_added;
}

void AxisSurvey::check_complete() const {
  if (n_added_ != n_rows_)
    throw InvalidInput(fmt::format("the survey must have all {} rows of the table; got {}.", n_rows_, n_added_));
  if (copied_.numbers != wanted_)
    throw InvalidInput(fmt::format("the survey must have row {} of the table; other rows were added twice.",
                                   *std::ranges::mismatch(wanted_, copied_.numbers).in1 + 1));
}

forest::SortedSample AxisSurvey::sample(const Run& run) const {
  std::vector<std::size_t> all(encoder_.axes().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const forest::ChosenRows rows = chosen(all);
  std::vector<std::size_t> places;
  if (options_.isolated || forest::finds_relations(options_))
    places = rows.places_of(forest::first_samples(n_rows_, options_));
  return {rows.rows, places, run};
}

std::vector<geometry::IsolatedParts> AxisSurvey::isolated(const forest::SortedRows& sample) const {
  if (!options_.isolated) return {};
  return find_isolated_axes({encoder_.axes(), ranges_, outer_, n_rows_}, sample);
}

forest::ChosenRows AxisSurvey::chosen(const std::vector<std::size_t>& axis_order) const {
  forest::ChosenRows chosen{.n_rows = n_rows_, .numbers = wanted_};
  const bool is_whole = wanted_.empty();
  chosen.rows.n = is_whole ? n_rows_ : wanted_.size();
  for (const std::size_t axis : axis_order)
    chosen.rows.columns.push_back(is_whole ? forest::StridedColumn{whole_[axis].first, whole_[axis].stride}
                                           : forest::StridedColumn{copied_.values[axis].data()});
  return chosen;
}

std::vector<std::size_t> rows_to_keep(std::size_t n_rows, const Options& options, const Run& run) {
  std::vector<std::size_t> drawn = forest::rows_to_draw(n_rows, options, run);
  if (!options.reasons) return drawn;
  std::vector<std::size_t> all;
  std::ranges::set_union(drawn, reasons::reason_sample(n_rows), std::back_inserter(all));
  return all;
}

}  // namespace pidforest::model
