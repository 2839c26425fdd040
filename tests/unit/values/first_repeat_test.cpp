// SPDX-License-Identifier: Apache-2.0
#include "values/first_repeat.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace pidforest::values {
namespace {

std::optional<std::size_t> first_repeat_of(const std::vector<std::string>& texts) {
  return first_repeat(texts.size(), [&](std::size_t i) -> const std::string& { return texts[i]; });
}

RC_GTEST_PROP(first_repeat, it_is_the_first_text_that_came_before, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\xFF')));
  std::set<std::string> seen;
  std::optional<std::size_t> expected;
  for (std::size_t i = 0; i < texts.size() && !expected; ++i)
    if (!seen.insert(texts[i]).second) expected = i;
  RC_ASSERT(first_repeat_of(texts) == expected);
}

TEST(first_repeat, of_several_repeats_the_first_counts) {
  EXPECT_EQ(first_repeat_of({"a", "z", "b", "z", "a", "a"}), 3U);
  EXPECT_EQ(first_repeat_of({"a", "b"}), std::nullopt);
  EXPECT_EQ(first_repeat_of({}), std::nullopt);
}

}  // namespace
}  // namespace pidforest::values
