// SPDX-License-Identifier: Apache-2.0
// The facts about a report: its data, its settings, and what it leaves out.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/report.h"
#include "report/listing.h"
#include "report/report_data.h"

namespace pidforest::report {

/// "23 anomalies in 4,032 rows, 5 incidents". `n_incidents` is the number of all incidents, listed or not.
std::string headline_of(const Listing& listing, std::size_t n_incidents);
std::vector<std::pair<std::string, std::string>> summary_facts(const Model& model, const Scores& scores,
                                                               const ReportOptions& options);
std::vector<std::string> notes_of(const Listing& listing, const Model& model, const Scores& scores,
                                  std::size_t n_incidents);

/// The bits of all rows, and where anomalies begin.
ReportData::Scores scores_of(const Model& model, const Scores& scores, const ReportOptions& options);

}  // namespace pidforest::report
