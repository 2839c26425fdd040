// SPDX-License-Identifier: Apache-2.0
// The picture of an axis: the places of values, the bars of the histogram, and the labels below them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "geometry/part.h"
#include "pidforest/schema.h"
#include "report/report_data.h"
#include "report/scale.h"
#include "schema/encode.h"

namespace pidforest::report {

/// An axis of the encoder with its column and derivation. Views the schema.
struct NamedAxis {
  const schema::AxisInfo& info;
  const ColumnSchema& column;
  std::optional<Derivation> derivation;

  [[nodiscard]] bool has_levels() const;
};

/// Facts of an axis from a pass over the rows. Values are encoded.
struct AxisFacts {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::uint64_t n_missing = 0;
  /// The values of some rows, sorted.
  std::vector<double> sample = {};
  /// The number of rows of each level, then that of unseen levels; empty if there are no levels.
  std::vector<std::uint64_t> levels = {};
};

class AxisPicture {
 public:
  /// `marked` has the values that will be marked; levels among them get separate bars.
  AxisPicture(const NamedAxis& axis, const AxisFacts& facts, std::span<const double> marked);

  /// Everything but the rows in the bars.
  [[nodiscard]] const ReportData::Axis& drawn() const { return drawn_; }
  [[nodiscard]] std::size_t n_bars() const { return drawn_.bars.size(); }
  /// The value is not missing.
  [[nodiscard]] std::size_t bar_of(double value) const;
  [[nodiscard]] double place_of(double value) const;
  [[nodiscard]] std::vector<std::pair<double, double>> spans_of(const geometry::Part& part) const;

 private:
  void draw_levels(const NamedAxis& axis, const AxisFacts& facts, std::span<const double> marked);
  void draw_numbers(const NamedAxis& axis, const AxisFacts& facts);
  void set_bars(std::size_t n);
  [[nodiscard]] std::vector<std::pair<double, double>> level_spans(const geometry::Part& part) const;

  ReportData::Axis drawn_;
  Scale scale_{0, 1};
  /// The beginning of each bar, without the first.
  std::vector<double> borders_;
  /// The bar of each level; empty if there are no levels.
  std::vector<std::size_t> bar_of_level_;
  /// True if level i is encoded as i, false if as i + 1/2.
  bool are_codes_ = false;
};

}  // namespace pidforest::report
