// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace pidforest::report {
namespace {

constexpr std::string_view opening = R"(<script type="application/json" id="report-data">)";

std::string data_of(const std::string& page) {
  const std::size_t from = page.find(opening) + opening.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(Page, holds_the_data_in_the_place_of_the_sample) {
  const std::string page = page_with(R"({"title": "ours"})");
  EXPECT_EQ(data_of(page), R"({"title": "ours"})");
  EXPECT_EQ(page.find("samples.csv"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(Page, no_data_ends_the_script_or_a_line_of_it) {
  EXPECT_EQ(data_of(page_with(R"("</script><script>")")), R"("\u003c/script>\u003cscript>")");
  EXPECT_EQ(data_of(page_with(R"("<!--")")), R"("\u003c!--")");
  EXPECT_EQ(data_of(page_with("\"a\u2028b\u2029c\"")), R"("a\u2028b\u2029c")");
}

TEST(Page, other_letters_stay_as_they_are) {
  const std::string json = "\"€ \u2027 \u202A שלום\u202C 🌲 \\\\ \\\" \xE2\x80\"";  // the last letter is cut off
  EXPECT_EQ(data_of(page_with(json)), json);
}

TEST(Page, loads_nothing_and_is_small) {
  const std::string page = page_with("{}");
  EXPECT_LT(page.size(), 1'000'000U);
  for (const std::string_view loading : {"<link", " src=\"", "unsafe-", " style=\"", "@import"}) {
    EXPECT_EQ(page.find(loading), std::string::npos) << loading;
  }
  const std::size_t policy = page.find("Content-Security-Policy");
  EXPECT_LT(policy, page.find("<script")) << "a policy holds only for what comes after it";
  EXPECT_LT(page.find("default-src 'none'; script-src 'sha256-"), page.find("<script"));
}

TEST(Page, names_the_licence_of_what_is_not_ours) {
  const std::string page = page_with("{}");
  EXPECT_NE(page.find("The MIT License"), std::string::npos);
  EXPECT_NE(page.find("Leon Sorokin"), std::string::npos);
}

}  // namespace
}  // namespace pidforest::report
