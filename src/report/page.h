// SPDX-License-Identifier: Apache-2.0
// The page of a report: one HTML file that loads nothing.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::report {

/// The page with `json` as its data, which can hold any text: none of it ends the script that it stands in.
std::string page_with(std::string_view json);

}  // namespace pidforest::report
