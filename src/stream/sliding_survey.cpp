// SPDX-License-Identifier: Apache-2.0
#include "stream/sliding_survey.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "forest/chosen_rows.h"
#include "model/isolated_axes.h"
#include "model/outer_survey.h"
#include "model/state.h"
#include "pidforest/table.h"
#include "table/column_ranges.h"

namespace pidforest::stream {

using geometry::IsolatedParts;

namespace {

Table table_of(const double* first, std::size_t n_rows, std::size_t n_columns, std::size_t stride) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < n_columns; ++j)
    columns.push_back({.name = std::to_string(j), .first = first + j, .stride = static_cast<std::ptrdiff_t>(stride)});
  return {n_rows, std::move(columns)};
}

/// The numbers of the samples as tables: their columns, of all samples that rows can reach, and their rises.
struct Numbers {
  explicit Numbers(const SlidingRows& sliding)
      : columns(table_of(sliding.at(0) - sliding.n_before() * sliding.stride(),
                         sliding.n_before() + sliding.n_samples(), sliding.n_columns(), sliding.stride())),
        rises(table_of(sliding.at(0) + sliding.n_columns(), sliding.n_samples(), sliding.stride() - sliding.n_columns(),
                       sliding.stride())) {}

  Table columns;
  /// Samples that end no row have none.
  Table rises;
};

/// One element per feature, by its place among the numbers of a sample.
template <class Item>
std::vector<Item> by_feature(const SlidingRows& sliding, const std::vector<Item>& by_place) {
  std::vector<Item> items;
  for (std::size_t f = 0; f < sliding.features().size(); ++f) items.push_back(by_place[sliding.place_of(f)]);
  return items;
}

template <class Item>
void append(std::vector<Item>& items, std::vector<Item> more) {
  items.insert(items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<IsolatedParts> isolated_of(const Table& table, std::span<const schema::AxisInfo> infos) {
  model::OuterSurvey outer(infos, geometry::n_outer(table.n_rows()));
  const std::vector<table::ColumnRange> ranges = outer.add(table, {.threads = 1});
  const forest::SortedSample all(model::in_order(table, numbers_below(table.n_columns())),
                                 numbers_below(table.n_rows()), {.threads = 1});
  return model::find_isolated_axes({infos, ranges, outer, table.n_rows()}, all.view());
}

std::vector<table::ColumnRange> ranges_of(const Table& table) {
  std::vector<table::ColumnRange> ranges(table.n_columns());
  table::widen_ranges(table, 0, table.n_rows(), ranges);
  return ranges;
}

std::vector<table::NextValues> next_values_of(const Table& table, const std::vector<table::ColumnRange>& ranges) {
  std::vector<table::NextValues> next;
  for (std::size_t j = 0; j < table.n_columns(); ++j)
    table::widen_next_values(table, j, ranges[j], next.emplace_back(table::next_values(ranges[j])));
  return next;
}

/// The places of the axes that vary, and of the first axis of each column that does not, but for earlier values and
/// means: an event that differs from a constant must not count as rare in later rows.
std::vector<std::size_t> worth_an_axis(const SlidingRows& sliding, const model::Roots& roots) {
  std::vector<bool> has_constant(sliding.n_columns());
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < roots.axis_order.size(); ++place) {
    const Feature& feature = sliding.features()[roots.axis_order[place]];
    const bool varies = roots.intervals[place].low < roots.intervals[place].high;
    if (!varies && (feature.lag > 0 || feature.is_mean || has_constant[feature.column])) continue;
    if (!varies) has_constant[feature.column] = true;
    places.push_back(place);
  }
  return places;
}

/// Leaves out all other axes.
void keep_axes(model::Roots& roots, std::span<const std::size_t> places) {
  model::Roots kept;
  for (const std::size_t place : places) {
    kept.axis_order.push_back(roots.axis_order[place]);
    kept.axes.push_back(std::move(roots.axes[place]));
    kept.intervals.push_back(std::move(roots.intervals[place]));
    if (!roots.isolated.empty()) kept.isolated.push_back(std::move(roots.isolated[place]));
  }
  roots = std::move(kept);
}

}  // namespace

std::vector<IsolatedParts> find_isolated(const SlidingRows& sliding, const std::vector<schema::AxisInfo>& infos) {
  const Numbers numbers(sliding);
  std::vector<schema::AxisInfo> by_place(sliding.stride());
  for (std::size_t f = 0; f < infos.size(); ++f) by_place[sliding.place_of(f)] = infos[f];
  by_place.resize(sliding.n_columns());
  std::vector<IsolatedParts> isolated = isolated_of(numbers.columns, by_place);
  isolated.resize(sliding.stride());
  if (std::ranges::all_of(isolated, &IsolatedParts::empty)) return {};
  return by_feature(sliding, isolated);
}

model::Roots find_roots(const SlidingRows& sliding, std::span<const std::size_t> features,
                        const std::vector<schema::AxisInfo>& infos, const Options& options,
                        std::span<const IsolatedParts> isolated) {
  const Numbers numbers(sliding);
  const std::size_t n = numbers.columns.n_rows();
  std::vector<table::ColumnRange> ranges = ranges_of(numbers.columns);
  const bool has_rises =
      std::ranges::any_of(features, [&](std::size_t f) { return sliding.features()[f].rise_over > 0; });
  std::vector<table::ColumnRange> of_rises(numbers.rises.n_columns());
  if (has_rises) of_rises = ranges_of(numbers.rises);
  std::vector<table::NextValues> next;
  if (options.root_interval == RootInterval::half_gap) {
    next = next_values_of(numbers.columns, ranges);
    append(next, next_values_of(numbers.rises, of_rises));
  }
  // As many missing values as there would be in all samples.
  const std::size_t n_partial = sliding.n_samples() - sliding.n_rows();
  for (table::ColumnRange& range : of_rises)
    if (has_rises) range.n_missing = (range.n_missing - n_partial) * n / sliding.n_rows();
  append(ranges, std::move(of_rises));

  std::vector<schema::AxisInfo> own_infos;
  std::vector<table::ColumnRange> own_ranges;
  std::vector<table::NextValues> own_next;
  std::vector<IsolatedParts> own_isolated;
  for (const std::size_t f : features) {
    own_infos.push_back(infos[f]);
    own_ranges.push_back(ranges[sliding.place_of(f)]);
    if (!next.empty()) own_next.push_back(next[sliding.place_of(f)]);
    if (!isolated.empty()) own_isolated.push_back(isolated[f]);
  }
  model::Roots roots = model::make_roots(own_infos, own_ranges, own_next, n, own_isolated);
  for (std::size_t& axis : roots.axis_order) axis = features[axis];
  keep_axes(roots, worth_an_axis(sliding, roots));
  return roots;
}

}  // namespace pidforest::stream
