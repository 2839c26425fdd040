// SPDX-License-Identifier: Apache-2.0
// The facts about a report: its data, its settings, and what it leaves out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pidforest/report.h"
#include "report/listing.h"
#include "report/report_data.h"

namespace pidforest::report {

/// "23 anomalies in 4,032 rows, 5 incidents"
std::string headline_of(const Listing& listing);
std::vector<std::pair<std::string, std::string>> summary_facts(const Model& model, const Scores& scores,
                                                               const ReportOptions& options);
std::vector<std::string> notes_of(const Listing& listing, const Model& model, const Scores& scores);

/// The bits of all rows, and where anomalies begin.
ReportData::Scores scores_of(const Model& model, const Scores& scores, const ReportOptions& options);

}  // namespace pidforest::report
