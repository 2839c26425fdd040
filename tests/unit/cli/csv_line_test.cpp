// SPDX-License-Identifier: Apache-2.0
#include "out/csv_line.h"

#include <gtest/gtest.h>

#include <limits>

namespace pidforest::cli {
namespace {

std::string one_text(std::string_view text, bool excel_safe = false, char delimiter = ',') {
  CsvLine line(delimiter, excel_safe);
  line.add_text(text);
  return line.take();
}

TEST(CsvLine, fields_are_separated_and_the_next_line_begins_anew) {
  CsvLine line(';', false);
  line.add_text("");
  line.add_count(7);
  line.add_number(-0.1);
  EXPECT_EQ(line.take(), ";7;-0.1\n");
  line.add_text("a");
  EXPECT_EQ(line.take(), "a\n");
}

TEST(CsvLine, what_would_be_read_otherwise_is_quoted) {
  EXPECT_EQ(one_text("a b"), "a b\n");
  EXPECT_EQ(one_text("a,b"), "\"a,b\"\n");
  EXPECT_EQ(one_text("a,b", false, ';'), "a,b\n");
  EXPECT_EQ(one_text("say \"no\""), "\"say \"\"no\"\"\"\n");
  EXPECT_EQ(one_text("two\nlines"), "\"two\nlines\"\n");
  EXPECT_EQ(one_text(" a"), "\" a\"\n");
}

TEST(CsvLine, numbers_are_the_shortest_text_that_reads_back) {
  CsvLine line(',', false);
  line.add_number(0.1 + 0.2);
  line.add_number(5);
  line.add_number(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(line.take(), "0.30000000000000004,5,5e-324\n");
}

TEST(CsvLine, formulas_get_an_apostrophe_only_if_asked) {
  for (const std::string formula : {"=1+1", "+1+1", "-1-1", "-inf", "-", "@sum", "\tx", "\t1"}) {
    EXPECT_EQ(one_text(formula), formula + "\n");
    EXPECT_EQ(one_text(formula, true), "'" + formula + "\n");
  }
  EXPECT_EQ(one_text("=a,b", true), "\"'=a,b\"\n");
  EXPECT_EQ(one_text("a=b", true), "a=b\n");
  CsvLine line(',', true);
  line.add_number(-1.5);
  EXPECT_EQ(line.take(), "-1.5\n");
}

TEST(CsvLine, a_text_that_is_a_number_gets_no_apostrophe) {
  for (const std::string number : {"-1", "+1", "-1.5e-300", "-12345678901234567890"})
    EXPECT_EQ(one_text(number, true), number + "\n");
}

}  // namespace
}  // namespace pidforest::cli
