// SPDX-License-Identifier: Apache-2.0
// The columns that differ from the rows of the fit.
#pragma once

#include "pidforest/compare.h"
#include "report/report_data.h"

namespace pidforest::report {

/// The columns that have changed, at most 100.
ReportData::Changes changes_of(const TableComparison& comparison);

}  // namespace pidforest::report
