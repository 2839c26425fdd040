// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "report/page_parts.h"

namespace pidforest::report {
namespace {

// The first two bytes of U+2028 and U+2029 in UTF-8, which end lines in JavaScript but not in JSON.
constexpr std::string_view line_ends = "\xE2\x80";

// All three occur only inside strings, where JSON allows escapes.
void append_escaped(std::string& page, std::string_view json) {
  while (!json.empty()) {
    const std::size_t plain = json.find_first_of("<\xE2");
    page += json.substr(0, plain);
    if (plain == std::string_view::npos) return;
    json.remove_prefix(plain);
    if (json.front() == '<') {
      page += "\\u003c";
      json.remove_prefix(1);
    } else if (json.starts_with(line_ends) && json.size() > 2 && (json[2] == '\xA8' || json[2] == '\xA9')) {
      page += json[2] == '\xA8' ? "\\u2028" : "\\u2029";
      json.remove_prefix(3);
    } else {
      page += json.front();
      json.remove_prefix(1);
    }
  }
}

}  // namespace

std::string page_with(std::string_view json) {
  std::string page;
  for (const std::string_view piece : before_data()) page += piece;
  append_escaped(page, json);
  for (const std::string_view piece : after_data()) page += piece;
  return page;
}

}  // namespace pidforest::report
