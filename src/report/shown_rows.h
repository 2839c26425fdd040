// SPDX-License-Identifier: Apache-2.0
// The rows that a report shows one by one: their values, and where their witnesses lie on the axes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/report.h"
#include "report/axis_picture.h"
#include "report/listing.h"
#include "report/report_data.h"

namespace pidforest::report {

/// The values of a row that is shown.
struct ShownValues {
  /// In all columns of the schema, for people; empty for columns that are not used.
  std::vector<std::string> words = {};
  /// On all axes, encoded.
  std::vector<double> encoded = {};
};

/// The values of the rows that are shown, in their order.
std::vector<ShownValues> shown_values(const Model& model, const Scores& scores, const Findings& shown, const Run& run);

/// The axis that a condition is about.
std::size_t axis_of(const Condition& condition, const std::vector<NamedAxis>& axes);

/// The two axes on which a witness is narrowest, in their order; nothing if it has one condition. Both have values.
std::optional<std::pair<std::size_t, std::size_t>> pair_of(const Witness& witness, const std::vector<NamedAxis>& axes,
                                                           const std::vector<AxisPicture>& pictures);

/// The conditions of a row's witness as they are drawn.
std::vector<ReportData::Condition> drawn_conditions(const Witness& witness, const ShownValues& values,
                                                    const Schema& schema, const std::vector<NamedAxis>& axes,
                                                    const std::vector<AxisPicture>& pictures);

}  // namespace pidforest::report
