// SPDX-License-Identifier: Apache-2.0
// One series as it is drawn: its moments in order, breaks where values are missing, and spans of anomalies.
#pragma once

#include <cstdint>
#include <span>

#include "pidforest/schema.h"
#include "report/moments.h"
#include "report/report_data.h"

namespace pidforest::report {

/// Needs at least one moment. A moment is drawn at its middle. A step is a gap if it is at least twice the upper
/// quartile of all steps; a gap contains one moment of NaN. Two anomalies belong to one span if at most two usual steps
/// between rows, or the length of a moment, lie between them.
ReportData::Track track_of(const Moments::Series& moments, std::int64_t length, std::span<const ColumnSchema> metrics);

}  // namespace pidforest::report
