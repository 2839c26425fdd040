// SPDX-License-Identifier: Apache-2.0
// Dates and times as logs and calendars write them, rewritten in the order that parse_time reads.
#pragma once

#include <string>
#include <string_view>

#include "pidforest/schema.h"

namespace pidforest::values {

/// Rewrites 10/Oct/2000:13:55:36 -0700 (Apache, also in brackets), Tue Oct 10 13:55:36 2000 (ctime) and the ISO weeks
/// 2000-W41 and 2000-W41-2, which begin on Monday; with `no_date` 13:55 as a time of 1970-01-01, with `no_year`
/// Oct 10 13:55:36 as a time of 1972, a leap year, and with `no_day` 2000-10 as the first day of the month. Returns an
/// empty text for anything else.
std::string rewritten_time(std::string_view text, DateOrder order);

}  // namespace pidforest::values
