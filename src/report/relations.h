// SPDX-License-Identifier: Apache-2.0
// Which columns go together, in an order that puts relatives side by side.
#pragma once

#include <span>

#include "pidforest/explain.h"
#include "report/report_data.h"

namespace pidforest::report {

/// The number of columns that are drawn.
inline constexpr std::size_t most_related = 60;

/// The columns of the strongest relations and the relations between them. `related` has the strongest first. Columns
/// are joined to groups along the relations, the strongest first; each group stays together.
ReportData::Relations relations_of(std::span<const RelatedColumns> related);

}  // namespace pidforest::report
