// SPDX-License-Identifier: Apache-2.0
// Passes over all rows that count how they spread over the axes, for the pictures.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "pidforest/options.h"
#include "report/axis_picture.h"
#include "report/report_data.h"
#include "schema/encoded_table.h"

namespace pidforest::report {

/// One per axis of the encoder.
std::vector<NamedAxis> named_axes(const schema::Encoder& encoder);

/// The facts of each axis, from one pass over the rows.
std::vector<AxisFacts> axis_facts(const std::vector<NamedAxis>& axes, const schema::EncodedBatches& rows,
                                  const Run& run);

/// The result of another pass: the rows in the bars of all axes, and their spread over some pairs of axes.
struct Spread {
  std::vector<ReportData::Axis> axes;
  std::vector<ReportData::Pair> pairs;
};
Spread spread_of(const std::vector<AxisPicture>& pictures,
                 const std::vector<std::pair<std::size_t, std::size_t>>& pairs, const schema::EncodedBatches& rows,
                 const Run& run);

}  // namespace pidforest::report
