// SPDX-License-Identifier: Apache-2.0
// The data of a report as JSON, in the form that the page reads.
#pragma once

#include <string>

#include "report/report_data.h"

namespace pidforest::report {

/// Keys are the names of the members. Pairs, ticks and cells are arrays; an absent value is null. Numbers are as exact
/// as a picture needs.
std::string to_json(const ReportData& data);

}  // namespace pidforest::report
