// SPDX-License-Identifier: Apache-2.0
#include "values/excerpt.h"

#include <gtest/gtest.h>

#include <string>

#include "values/utf8.h"

namespace pidforest::values {
namespace {

using std::string_literals::operator""s;

TEST(excerpt, of_a_short_text_is_the_text) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt("naïve 🐘"), "naïve 🐘");
}

TEST(excerpt, of_a_long_text_has_so_many_characters_not_bytes) {
  EXPECT_EQ(excerpt("äöü", 3), "äöü");
  EXPECT_EQ(excerpt("äöüß", 3), "äöü...");
}

TEST(excerpt, escapes_what_would_break_the_line_or_is_no_utf8) {
  EXPECT_EQ(excerpt("a\n\0\x7F\xC2\x85z"s), "a\\x0a\\x00\\x7f\\xc2\\x85z");
  EXPECT_EQ(excerpt("\xFFz\xC3"), "\\xffz\\xc3");
}

TEST(utf8, is_what_the_standard_says) {
  for (const char* text : {"", "a", "ä", "€", "🐘", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3", "\xE2\x82", "\xE2\x28\xA1"})
    EXPECT_FALSE(is_utf8(text)) << excerpt(text);
}

}  // namespace
}  // namespace pidforest::values
