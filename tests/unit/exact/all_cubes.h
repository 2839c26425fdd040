// SPDX-License-Identifier: Apache-2.0
// Tiny tables with all kinds of columns, and the sparsest cube of a row found by brute force.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "exact/cell_table.h"
#include "geometry/ordered_axis.h"
#include "geometry/part.h"
#include "model/roots.h"
#include "pidforest/exact.h"
#include "schema/encode.h"
#include "schema/table_facts.h"

namespace pidforest::exact {

enum class TinySort : std::uint8_t { number, ordinal, circle, circle_of_cells, category, hierarchy, boolean };
inline constexpr std::size_t n_tiny_sorts = 7;

inline ColumnSchema tiny_column(TinySort sort, std::string name) {
  ColumnSchema column{.name = std::move(name)};
  if (sort == TinySort::ordinal) column.kind = Kind::ordinal;
  if (sort == TinySort::ordinal) column.range = {0, 5};
  if (sort == TinySort::circle || sort == TinySort::circle_of_cells) column.kind = Kind::cyclic;
  if (sort == TinySort::circle || sort == TinySort::circle_of_cells) column.period = 6;
  if (sort == TinySort::circle_of_cells) column.step = 1;
  if (sort == TinySort::category || sort == TinySort::hierarchy) column.kind = Kind::category;
  if (sort == TinySort::category) column.numeric_levels = true;
  if (sort == TinySort::category) column.levels = {"0", "1", "2", "3", "4", "5"};
  if (sort == TinySort::hierarchy)
    column.parents = {{"0", "a"}, {"1", "a"}, {"2", "b"}, {"3", "b"},   {"4", "c"},
                      {"5", "c"}, {"a", "x"}, {"b", "x"}, {"c", "all"}, {"x", "all"}};
  if (sort == TinySort::boolean) column.kind = Kind::boolean;
  return column;
}

/// Rows of values from 0 to 5, some of them missing; cyclic columns and numbers have fractions.
struct TinyTable {
  std::vector<TinySort> sorts;
  std::vector<double> values;

  [[nodiscard]] std::size_t n_rows() const { return values.size() / sorts.size(); }
  [[nodiscard]] Table table() const { return Table::row_major(values, sorts.size()); }
  [[nodiscard]] Schema schema() const {
    Schema schema;
    for (std::size_t j = 0; j < sorts.size(); ++j)
      schema.columns.push_back(tiny_column(sorts[j], fmt::format("x{}", j)));
    return schema;
  }
};

inline double tiny_value(TinySort sort, std::mt19937& random) {
  if (random() % 7 == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto whole = static_cast<double>(random() % (sort == TinySort::boolean ? 2 : 6));
  const bool has_fractions = sort == TinySort::number || sort == TinySort::circle;
  return has_fractions ? whole * whole * 0.21 : whole;
}

/// The values come from one seed, because RapidCheck would mostly draw small ones.
inline TinyTable any_tiny_table(std::size_t most_columns, std::size_t most_rows) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  TinyTable tiny;
  const std::size_t n_columns = 1 + random() % most_columns;
  for (std::size_t j = 0; j < n_columns; ++j) tiny.sorts.push_back(static_cast<TinySort>(random() % n_tiny_sorts));
  const std::size_t n_rows = 1 + random() % most_rows;
  for (std::size_t i = 0; i < n_rows; ++i)
    for (const TinySort sort : tiny.sorts) tiny.values.push_back(tiny_value(sort, random));
  return tiny;
}

/// All parts that an axis can have.
class AllParts {
 public:
  AllParts(std::uint32_t axis, const schema::AxisInfo& info, const geometry::Interval& root,
           const std::vector<double>& values, IntervalEnds ends)
      : axis_(axis), info_(info), root_(root), ends_(ends) {
    for (const double x : values)
      if (!std::isnan(x)) found_.insert(x);
    if (std::ranges::any_of(values, [](double x) { return std::isnan(x); }))
      parts_.push_back({.axis = axis, .is_missing = true});
    // An axis with a single value is a point, whatever its column is.
    if (found_.size() == 1 || info.kind == geometry::AxisKind::ordered) {
      add_intervals();
    } else if (info.kind == geometry::AxisKind::cyclic) {
      add_arcs();
    } else {
      add_sets();
    }
  }

  [[nodiscard]] const std::vector<geometry::Part>& parts() const { return parts_; }

 private:
  using Part = geometry::Part;

  /// Positions where intervals may begin or end.
  [[nodiscard]] std::vector<double> places(bool is_begin) const {
    std::vector<double> places;
    if (info_.n_cells > 0)
      for (double border = 0; border <= root_.high; ++border) places.push_back(border);
    else if (ends_ == IntervalEnds::any)
      for (const double x : found_) places.push_back(is_begin ? std::nextafter(x, 100) : x);
    else
      for (auto x = found_.begin(); std::next(x) != found_.end(); ++x)
        places.push_back(geometry::border_between(*x, *std::next(x)));
    return places;
  }

  void add_intervals() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> lows{-infinity};
    std::vector<double> highs{infinity};
    if (found_.size() > 1) {
      std::ranges::copy(places(true), std::back_inserter(lows));
      std::ranges::copy(places(false), std::back_inserter(highs));
    }
    for (const double low : lows)
      for (const double high : highs)
        if (low < high) parts_.push_back({.axis = axis_, .low = low, .high = high});
  }

  void add_arcs() {
    std::vector<double> lows = places(true);
    std::vector<double> highs = places(false);
    if (info_.n_cells == 0 && ends_ == IntervalEnds::halfway) {
      const double border = (*found_.rbegin() + *found_.begin() + root_.high) / 2;
      lows.push_back(std::fmod(border, root_.high));
      highs.push_back(lows.back());
    }
    parts_.push_back({.axis = axis_, .kind = geometry::AxisKind::cyclic, .low = 0, .high = 0});
    for (const double low : lows)
      for (const double high : highs)
        if (low != high && low < root_.high)
          parts_.push_back({.axis = axis_, .kind = geometry::AxisKind::cyclic, .low = low, .high = high});
  }

  /// Adds the sets of children of every branch.
  void add_sets() {
    std::vector<std::uint32_t> parents = info_.parents;
    const auto n = static_cast<std::uint32_t>(info_.n_cells);
    if (parents.empty()) parents.assign(n + 1, n);
    std::map<std::uint32_t, std::vector<std::uint32_t>> children;
    for (std::uint32_t branch = 0; branch + 1 < parents.size(); ++branch) children[parents[branch]].push_back(branch);
    for (const auto& [branch, below] : children)
      for (std::uint32_t chosen = 1; chosen < 1U << below.size(); ++chosen) {
        Part part{.axis = axis_, .kind = geometry::AxisKind::category};
        for (std::uint32_t level = 0; level < n; ++level)
          if (is_below(level, below, chosen, parents)) part.levels.push_back({level, level + 1});
        parts_.push_back(part);
      }
  }

  static bool is_below(std::uint32_t level, const std::vector<std::uint32_t>& branches, std::uint32_t chosen,
                       const std::vector<std::uint32_t>& parents) {
    for (std::uint32_t branch = level;; branch = parents[branch]) {
      for (std::size_t i = 0; i < branches.size(); ++i)
        if ((chosen >> i & 1U) == 1 && branches[i] == branch) return true;
      if (branch == parents[branch] || branch + 1 == parents.size()) return false;
    }
  }

  std::uint32_t axis_;
  const schema::AxisInfo& info_;
  const geometry::Interval& root_;
  IntervalEnds ends_;
  std::set<double> found_;
  std::vector<Part> parts_;
};

/// All cubes of a table.
class AllCubes {
 public:
  AllCubes(const Table& table, const Schema& schema, IntervalEnds ends) : n_rows_(table.n_rows()) {
    const schema::Encoder encoder(schema::complete_schema(schema, table));
    const schema::EncodedTable encoded(encoder, table, {});
    std::vector<table::ColumnRange> ranges(encoder.axes().size());
    model::widen_axis_ranges(encoded.table(), {}, ranges);
    const model::Roots roots = model::find_roots(schema::EncodedBatches(encoder, table), ranges, {}, {});
    roots_ = roots.intervals;
    for (std::uint32_t i = 0; i < roots_.size(); ++i) {
      std::vector<double> values;
      for (std::size_t row = 0; row < n_rows_; ++row)
        values.push_back(encoded.table().columns()[roots.axis_order[i]].number(row));
      parts_.push_back(AllParts(i, encoder.axes()[roots.axis_order[i]], roots_[i], values, ends).parts());
      axes_.push_back(cells_of(encoder.axes()[roots.axis_order[i]], roots_[i], values, ends));
      columns_.push_back(std::move(values));
    }
  }

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] const std::vector<geometry::Interval>& roots() const { return roots_; }
  /// The table as the search sees it.
  [[nodiscard]] CellTable cells() const { return CellTable(axes_, n_rows_); }
  [[nodiscard]] bool holds(const geometry::Parts& cube, std::size_t row) const {
    return std::ranges::all_of(cube, [&](const auto& part) { return part.holds(columns_[part.axis][row]); });
  }

  /// Returns the bits of the sparsest cube that contains a row.
  [[nodiscard]] double most_bits(std::size_t row) const {
    geometry::Parts cube;
    std::vector<std::size_t> inside(n_rows_);
    for (std::size_t i = 0; i < n_rows_; ++i) inside[i] = i;
    return most_bits(row, 0, inside, cube);
  }

 private:
  double most_bits(std::size_t row, std::size_t axis, const std::vector<std::size_t>& inside,
                   geometry::Parts& cube) const {
    if (axis == parts_.size()) return geometry::bits_of(geometry::log2_volume(cube, roots_), inside.size(), n_rows_);
    double most = most_bits(row, axis + 1, inside, cube);
    for (const geometry::Part& part : parts_[axis]) {
      if (!part.holds(columns_[axis][row])) continue;
      std::vector<std::size_t> held;
      for (const std::size_t one : inside)
        if (part.holds(columns_[axis][one])) held.push_back(one);
      cube.push_back(part);
      most = std::max(most, most_bits(row, axis + 1, held, cube));
      cube.pop_back();
    }
    return most;
  }

  std::size_t n_rows_;
  std::vector<geometry::Interval> roots_;
  std::vector<std::vector<double>> columns_;
  std::vector<std::vector<geometry::Part>> parts_;
  std::vector<AxisCells> axes_;
};

}  // namespace pidforest::exact
