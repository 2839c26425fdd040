// SPDX-License-Identifier: Apache-2.0
#include "pidforest/csv.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"

namespace pidforest {
namespace {

using std::string_literals::operator""s;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

/// The only value of a file with one column and one row.
double value_of(const std::string& field) { return parse_csv("x,y\n" + field + ",0\n").values[0][0]; }

/// The message with which a text is refused; empty if it is not.
std::string complaint(const std::string& text, const Names& ignore = {}) {
  try {
    parse_csv(text, ignore);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(csv, columns_have_the_names_and_numbers_of_the_file) {
  const CsvColumns columns = parse_csv("a,b\n1,2\n3.5,-4e2\n");
  EXPECT_EQ(columns.names, (Names{"a", "b"}));
  EXPECT_EQ(columns.values[0], (Values{1, 3.5}));
  EXPECT_EQ(columns.values[1], (Values{2, -400}));
  EXPECT_EQ(columns.n_rows(), 2U);
}

TEST(csv, the_table_views_the_values) {
  const CsvColumns columns = parse_csv("a,b\n1,2\n3,4\n");
  const Table table = columns.table();
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.columns()[1].name, "b");
  EXPECT_EQ(table.columns()[1].first, columns.values[1].data());
}

TEST(csv, line_ends_byte_order_mark_and_blank_last_lines_change_nothing) {
  const Values expected{1, 3};
  for (const std::string& text : {"a,b\n1,2\n3,4"s, "a,b\r\n1,2\r\n3,4\r\n"s,
                                  "\xEF\xBB\xBF"
                                  "a,b\n1,2\n3,4\n"s,
                                  "a,b\n1,2\n3,4\n\r\n\n"s}) {
    const CsvColumns columns = parse_csv(text);
    EXPECT_EQ(columns.names, (Names{"a", "b"})) << text;
    EXPECT_EQ(columns.values[0], expected) << text;
  }
}

TEST(csv, quoted_fields_may_hold_commas_and_newlines) {
  const CsvColumns columns = parse_csv("\"a,\nb\",note\n\"1.5\",\"x, \"\"y\"\"\nz\"\n2,\"\"\n", {"note"});
  EXPECT_EQ(columns.names, Names{"a,\nb"});
  EXPECT_EQ(columns.values[0], (Values{1.5, 2}));
}

TEST(csv, doubled_quotes_in_a_name_are_one) {
  EXPECT_EQ(parse_csv("\"\"\"5\"\" pipe\"\n1\n").names, Names{"\"5\" pipe"});
}

TEST(csv, a_quote_inside_a_bare_field_is_text) {
  EXPECT_EQ(parse_csv("a,b\n1,5\" pipe\n", {"b"}).values[0], Values{1});
}

TEST(csv, empty_fields_and_nan_are_missing) {
  for (const char* field : {"", "  ", "\"\"", "nan", "NaN", " nan "}) EXPECT_TRUE(std::isnan(value_of(field))) << field;
}

TEST(csv, other_words_for_missing_are_refused) {
  for (const char* field : {"NA", "N/A", "null", "-nan", "nan(1)", "NAN", "?", "-"})
    EXPECT_THROW(value_of(field), InvalidInput) << field;
}

TEST(csv, an_empty_last_field_is_missing_even_at_the_end_of_the_file) {
  EXPECT_TRUE(std::isnan(parse_csv("a,b\n1,").values[1][0]));
}

TEST(csv, a_blank_line_between_rows_of_one_column_is_a_missing_value) {
  const CsvColumns columns = parse_csv("a\n1\n\n2\n\n");
  ASSERT_EQ(columns.n_rows(), 3U);
  EXPECT_TRUE(std::isnan(columns.values[0][1]));
}

TEST(csv, numbers_are_the_nearest_doubles) {
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("+7"), 7);
  EXPECT_EQ(value_of(" -.5 "), -0.5);
  EXPECT_EQ(value_of("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value_of("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value_of("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(csv, what_only_looks_like_a_number_is_refused) {
  for (const char* field : {"1 2", "0x10", "1e", "+-1", "--1", "++1", "1.2.3", "1_000", "12abc"})
    EXPECT_THROW(value_of(field), InvalidInput) << field;
}

TEST(csv, integers_are_held_exactly_or_refused) {
  EXPECT_EQ(value_of("9007199254740992"), 9007199254740992.0);
  EXPECT_EQ(value_of("-9007199254740994"), -9007199254740994.0);
  EXPECT_EQ(value_of("0000000000000000000012"), 12);
  EXPECT_EQ(value_of("18446744073709551616"), 18446744073709551616.0);
  for (const char* field : {"9007199254740993", "-9007199254740993", "+9007199254740993", "18446744073709551615",
                            "100000000000000000000000"})
    EXPECT_THROW(value_of(field), InvalidInput) << field;
  EXPECT_EQ(complaint("a\n1\n9007199254740993\n"),
            "line 3, column 'a': must be an integer that a double holds exactly, as all up to 9007199254740992 are; "
            "got '9007199254740993'. Leave the column out with --ignore a.");
}

TEST(csv, numbers_beyond_a_double_are_refused_as_such) {
  for (const char* field : {"1e999", "-1e999", "1e-400"})
    EXPECT_NE(complaint("a\n"s + field).find("must be in the range of a double"), std::string::npos) << field;
}

TEST(csv, text_is_refused_by_line_and_column_with_a_remedy) {
  EXPECT_EQ(complaint("a,country\n1,2\n3,Chile\n"),
            "line 3, column 'country': must be a number or an empty field; got 'Chile'. Leave the column out with "
            "--ignore country.");
}

TEST(csv, lines_are_counted_in_the_file_not_in_rows) {
  EXPECT_EQ(complaint("a,note\n1,\"x\ny\"\nz,\n", {"note"}).substr(0, 18), "line 4, column 'a'");
}

TEST(csv, what_came_is_quoted_short_and_without_control_characters) {
  EXPECT_NE(complaint("a\n\x1B[31m" + std::string(100, 'x')).find("got '\\x1b[31m" + std::string(35, 'x') + "...'"),
            std::string::npos);
}

TEST(csv, ignored_columns_are_skipped_whatever_they_hold) {
  const CsvColumns columns = parse_csv("when,a,who\ntoday,1,me\n,2,1e999\n", {"who", "when"});
  EXPECT_EQ(columns.names, Names{"a"});
  EXPECT_EQ(columns.values, (std::vector<Values>{{1, 2}}));
}

TEST(csv, ignoring_a_column_that_is_not_there_is_refused) {
  EXPECT_EQ(complaint("a,b\n1,2\n", {"c"}),
            "a column to ignore must be in the header row; got 'c'. The header has a, b.");
}

TEST(csv, ragged_rows_are_refused) {
  EXPECT_EQ(complaint("a,b\n1,2\n3\n"),
            "line 3: a row must have 2 fields, as the header has; got 1. Quote a field that holds a comma.");
  EXPECT_EQ(complaint("a,b\n1,2,3\n").substr(0, 55), "line 2: a row must have 2 fields, as the header has; go");
  EXPECT_NE(complaint("a,b\n1,2\n\n3,4\n"), "");
}

TEST(csv, header_names_must_be_there_and_differ) {
  EXPECT_EQ(complaint("a,,b\n1,2,3\n"),
            "line 1: every column must have a name; column 2 has none. Name it in the header row.");
  EXPECT_EQ(complaint("a,b, a\n1,2,3\n"), "line 1: column names must differ; got 'a' twice. Rename one of the two.");
}

TEST(csv, an_empty_file_is_refused) {
  for (const char* text : {"", "\n\r\n", "\xEF\xBB\xBF"})
    EXPECT_NE(complaint(text).find("the file is empty"), std::string::npos);
}

TEST(csv, a_header_alone_has_no_rows) {
  for (const char* text : {"a,b", "a,b\n"}) EXPECT_EQ(parse_csv(text).n_rows(), 0U);
}

TEST(csv, an_open_quote_is_refused_at_the_line_where_it_opens) {
  EXPECT_EQ(complaint("a,b\n1,\"2\n3,4\n").substr(0, 52), "line 2: a field that begins with a quote must end wi");
}

TEST(csv, text_after_a_closing_quote_is_refused) {
  EXPECT_NE(complaint("a,b\n\"1\"2,3\n").find("got '2'"), std::string::npos);
}

TEST(csv, nul_bytes_and_lone_carriage_returns_are_refused) {
  EXPECT_EQ(complaint("a\n1\n2\0\n"s).substr(0, 60), "line 3: a CSV file must be text without NUL bytes; got one. ");
  EXPECT_NE(complaint("a,b\r1,2\r").find("lone CR"), std::string::npos);
}

TEST(csv, a_raised_cancel_flag_stops_the_reading) {
  const std::atomic<bool> cancel = true;
  pidforest::Run run;  // a GoogleTest fixture has a Run of its own
  run.cancel = &cancel;
  EXPECT_THROW(parse_csv("a\n1\n", {}, run), Cancelled);
}

}  // namespace
}  // namespace pidforest
