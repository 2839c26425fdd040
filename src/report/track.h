// SPDX-License-Identifier: Apache-2.0
// One series as it is drawn: its moments in order, with breaks where nothing is known, and its stretches of anomalies.
#pragma once

#include <cstdint>
#include <span>

#include "pidforest/report.h"
#include "pidforest/schema.h"
#include "report/moments.h"

namespace pidforest::report {

/// Of one moment at least. A moment is drawn at its middle. A step to the next that is at least twice as long as three
/// quarters of the steps are is a gap, with one moment of NaN in it. Anomalies belong to one span if at most two usual
/// steps between rows, or the length of a moment, lie between them.
ReportData::Track track_of(const Moments::Series& moments, std::int64_t length, std::span<const ColumnSchema> metrics);

}  // namespace pidforest::report
