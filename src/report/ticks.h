// SPDX-License-Identifier: Apache-2.0
// Names of axes, and the ticks below them.
#pragma once

#include <string_view>
#include <vector>

#include "report/axis_picture.h"
#include "report/report_data.h"

namespace pidforest::report {

/// "hour of day"
std::string_view words_of(Derivation derivation);

/// Ticks for an axis without levels: numbers, times of day or dates.
std::vector<ReportData::Tick> ticks_of(const Scale& scale, const NamedAxis& axis);

/// Ticks for an axis of bits.
std::vector<ReportData::Tick> ticks_of(const Scale& scale);

}  // namespace pidforest::report
