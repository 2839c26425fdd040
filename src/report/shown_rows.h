// SPDX-License-Identifier: Apache-2.0
// The rows that a report shows one by one: why each is rare, and what would make it normal.
#pragma once

#include <string>
#include <vector>

#include "pidforest/report.h"
#include "report/axis_picture.h"
#include "report/listing.h"
#include "report/report_data.h"

namespace pidforest::report {

/// What is known of a row before anything is drawn.
struct ShownRow {
  Witness witness = {};
  std::vector<ColumnBits> columns = {};
  /// Of all columns of the schema, for people; empty for those that are not used.
  std::vector<std::string> values = {};
  /// Of all axes, encoded.
  std::vector<double> encoded = {};
  std::string reason = {};
  std::string normal_if = {};
};

/// In the order in which they are shown.
std::vector<ShownRow> explain_shown(const Model& model, const ScoredTable& table, const Listing& listing,
                                    const ReportOptions& options, Explainer& explainer, const Run& run);

/// The axis that a condition is about.
std::size_t axis_of(const Condition& condition, const std::vector<NamedAxis>& axes);

/// The two axes on which a witness is narrowest, in their order; nothing if it has one condition. Both have values.
std::optional<std::pair<std::size_t, std::size_t>> pair_of(const Witness& witness, const std::vector<NamedAxis>& axes,
                                                           const std::vector<AxisPicture>& pictures);

/// What its witness demands, as it is drawn.
std::vector<ReportData::Condition> drawn_conditions(const ShownRow& row, const Schema& schema,
                                                    const std::vector<NamedAxis>& axes,
                                                    const std::vector<AxisPicture>& pictures);

/// The first few of the other rows that each row's witness holds, by their number in the table.
std::vector<std::vector<std::uint64_t>> impostors_of(const std::vector<ShownRow>& rows, const Model& model,
                                                     const ScoredTable& table, const Listing& listing, const Run& run);

}  // namespace pidforest::report
