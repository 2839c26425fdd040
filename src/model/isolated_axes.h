// SPDX-License-Identifier: Apache-2.0
// The isolated values of all axes of a table.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "geometry/isolated.h"
#include "model/outer_survey.h"
#include "schema/encode.h"
#include "table/column_ranges.h"

namespace pidforest::model {

/// What a pass over all rows found out about the axes of the encoder.
struct SurveyedAxes {
  std::span<const schema::AxisInfo> infos;
  std::span<const table::ColumnRange> ranges;
  const OuterSurvey& outer;
  std::size_t n_rows;
};

/// The isolated parts of each axis. A circle has none, except for missing values; a category has at most its unseen
/// levels. Values within the range that a schema declares are never isolated. A sample of the rows gives the medians
/// and the frequencies of levels.
std::vector<geometry::IsolatedParts> find_isolated_axes(const SurveyedAxes& facts, const forest::SortedRows& sample);

}  // namespace pidforest::model
