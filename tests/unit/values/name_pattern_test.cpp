// SPDX-License-Identifier: Apache-2.0
#include "values/name_pattern.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>
#include <string>

#include "values/nearest_word.h"

namespace pidforest::values {
namespace {

TEST(name_pattern, a_star_stands_for_any_characters_and_a_question_mark_for_one) {
  EXPECT_TRUE(matches_pattern("cpu_*", "cpu_user"));
  EXPECT_TRUE(matches_pattern("cpu_*", "cpu_"));
  EXPECT_FALSE(matches_pattern("cpu_*", "xcpu_user"));
  EXPECT_TRUE(matches_pattern("*_v?", "disk_v2"));
  EXPECT_FALSE(matches_pattern("*_v?", "disk_v"));
  EXPECT_TRUE(matches_pattern("a*b*c", "axbyyc"));
  EXPECT_FALSE(matches_pattern("a*b*c", "axbyy"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("", "a"));
}

TEST(name_pattern, a_name_with_a_star_matches_itself) {
  EXPECT_TRUE(matches_pattern("a*", "a*"));
  EXPECT_TRUE(matches_pattern("what?", "what?"));
}

RC_GTEST_PROP(name_pattern, matches_as_the_regular_expression_does, ()) {
  const auto text = [](const std::string& letters) {
    return *rc::gen::resize(10, rc::gen::container<std::string>(rc::gen::elementOf(letters)));
  };
  const std::string pattern = text("ab*?");
  const std::string name = text("ab");
  std::string expression;
  for (const char c : pattern) expression += c == '*' ? std::string(".*") : c == '?' ? "." : std::string(1, c);
  RC_ASSERT(matches_pattern(pattern, name) == std::regex_match(name, std::regex(expression)));
}

TEST(nearest_word, is_at_most_two_edits_away_whatever_the_case) {
  EXPECT_EQ(did_you_mean("Amuont", {"id", "amount"}), " Did you mean amount?");
  EXPECT_EQ(did_you_mean("TIME", {"id", "time"}), " Did you mean time?");
  EXPECT_EQ(did_you_mean("price", {"id", "amount"}), "");
  EXPECT_EQ(did_you_mean("x", {"id"}), "");
  EXPECT_EQ(did_you_mean("--tpo", {"--top", "--id"}), " Did you mean --top?");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

}  // namespace
}  // namespace pidforest::values
