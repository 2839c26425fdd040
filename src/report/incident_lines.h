// SPDX-License-Identifier: Apache-2.0
// The incidents of a report: by reason, or in time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/incidents.h"
#include "pidforest/model.h"
#include "report/listing.h"
#include "report/report_data.h"
#include "report/row_names.h"

namespace pidforest::report {

/// Incidents of anomalies that share a reason, the first ones.
std::vector<ReportData::Incident> incidents_by_reason(const Listing& listing, const Schema& schema,
                                                      const RowNames& names);

/// Incidents in time, the first ones.
std::vector<ReportData::Incident> incidents_in_time(const TimedFindings& timed, const Listing& listing,
                                                    const Schema& schema, const RowNames& names);

/// The spans of the incidents of one series, in the order of time. `key` is its `shown_key`, or empty for a single
/// series.
std::vector<ReportData::Span> spans_of_incidents(const TimedFindings& timed, const std::string& key,
                                                 const Listing& listing);

/// "missing" for an empty key, as series are named.
std::string shown_key(const std::string& key);

}  // namespace pidforest::report
