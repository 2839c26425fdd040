// SPDX-License-Identifier: Apache-2.0
// The page of a report: one HTML file that loads nothing.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::report {

/// The page with `json` as its data. The data may contain any text; no text can end the script that contains it.
std::string page_with(std::string_view json);

}  // namespace pidforest::report
