// SPDX-License-Identifier: Apache-2.0
// Files that people take for a table of text though they are something else.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::data {

/// What a file that begins so is, and what to do with it: a sentence or two. Empty if it may be text.
std::string foreign_file(std::string_view begin);

}  // namespace pidforest::data
