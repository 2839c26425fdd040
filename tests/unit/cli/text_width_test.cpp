// SPDX-License-Identifier: Apache-2.0
#include "out/text_width.h"

#include <gtest/gtest.h>

namespace pidforest::cli {
namespace {

TEST(TextWidth, counts_the_columns_of_a_terminal) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_EQ(text_width("abc"), 3);
  EXPECT_EQ(text_width("é"), 1);
  EXPECT_EQ(text_width("e\u0301"), 1);
  EXPECT_EQ(text_width("東京"), 4);
  EXPECT_EQ(text_width("서울"), 4);
  EXPECT_EQ(text_width("ｆｕｌｌ"), 8);
  EXPECT_EQ(text_width("🙂"), 2);
  EXPECT_EQ(text_width("❤\uFE0F"), 1);
}

TEST(TextWidth, what_does_not_fit_ends_with_dots_within_the_width) {
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdefg", 6), "abc...");
  EXPECT_EQ(fitted("東京都庁", 8), "東京都庁");
  EXPECT_EQ(fitted("東京都庁", 7), "東京...");
  EXPECT_EQ(fitted("東京都庁", 6), "東...");
  EXPECT_EQ(fitted("abcdef", 2), "..");
  EXPECT_EQ(fitted("abcdef", 0), "");
}

TEST(TextWidth, a_mark_stays_with_its_character) { EXPECT_EQ(fitted("ae\u0301bcdefg", 6), "ae\u0301b..."); }

TEST(TextWidth, a_text_that_ends_within_a_character_is_no_danger) {
  EXPECT_EQ(text_width("a\xE6\x9D"), 2);
  EXPECT_EQ(text_width("\xF0"), 1);
}

}  // namespace
}  // namespace pidforest::cli
