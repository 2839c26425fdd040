// SPDX-License-Identifier: Apache-2.0
// A report's data as the page reads it.
#pragma once

#include <string>

#include "pidforest/report.h"

namespace pidforest::report {

/// Keys are the names of the members. Pairs, ticks and cells are arrays; what there is none of is null. Numbers are as
/// exact as a picture needs.
std::string to_json(const ReportData& data);

}  // namespace pidforest::report
