// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/reader.h"
#include "unit/reader/read_all.h"

namespace pidforest::reader {
namespace {

using std::string_literals::operator""s;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

/// Reads a text that must not be rejected.
TableRead parse_csv(const std::string& text, const ColumnSelection& selection = {}) {
  const TableRead read = read_all(text, {}, selection);
  EXPECT_EQ(read.refusal, "") << text;
  return read;
}

/// Reads a file with one field in its first column and returns that column.
ColumnRead column_of(const std::string& field) { return parse_csv("x,y\n" + field + ",0\n").columns.at(0); }

double value_of(const std::string& field) { return column_of(field).numbers.at(0); }

Names names_of(const TableRead& read) {
  Names names;
  for (const ColumnRead& column : read.columns) names.push_back(column.name);
  return names;
}

/// The message with which a text is rejected; empty if it is accepted.
std::string complaint(const std::string& text, const ColumnSelection& selection = {}, const TextFormat& format = {}) {
  return read_all(text, format, selection).refusal;
}

TEST(csv, columns_have_the_names_and_numbers_of_the_file) {
  const TableRead read = parse_csv("a,b\n1,2\n3.5,-4e2\n");
  EXPECT_EQ(names_of(read), (Names{"a", "b"}));
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 3.5}));
  EXPECT_EQ(read.columns[1].numbers, (Values{2, -400}));
  EXPECT_EQ(read.n_rows, 2U);
}

TEST(csv, line_ends_byte_order_mark_and_blank_last_lines_change_nothing) {
  const Values expected{1, 3};
  for (const std::string& text : {"a,b\n1,2\n3,4"s, "a,b\r\n1,2\r\n3,4\r\n"s,
                                  "\xEF\xBB\xBF"
                                  "a,b\n1,2\n3,4\n"s,
                                  "a,b\n1,2\n3,4\n\r\n\n"s}) {
    const TableRead read = parse_csv(text);
    EXPECT_EQ(names_of(read), (Names{"a", "b"})) << text;
    EXPECT_EQ(read.columns[0].numbers, expected) << text;
  }
}

TEST(csv, without_a_header_the_first_row_is_data_and_columns_have_numbers) {
  const TableRead read = read_all("1,a\n2,b\n", {.has_header = false});
  EXPECT_EQ(names_of(read), (Names{"column1", "column2"}));
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
  EXPECT_EQ(
      complaint("1,2\n3\n", {}, {.has_header = false}),
      "line 2, byte 4: a row must have 2 fields, like the first row; got 1. Quote a field that contains a comma, or "
      "leave such rows out with --on-bad-row skip.");
  EXPECT_EQ(complaint("", {}, {.has_header = false}), "a CSV file must have at least one row; the file is empty.");
}

TEST(csv, a_vertical_bar_may_be_the_delimiter) {
  EXPECT_EQ(names_of(parse_csv("a|b, c|d\n1|2|3\n")), (Names{"a", "b, c", "d"}));
}

TEST(csv, patterns_choose_columns) {
  const std::string text = "cpu_a,cpu_b,net,label\n1,2,3,4\n";
  EXPECT_EQ(names_of(parse_csv(text, {.ignore = {"cpu_*"}})), (Names{"net", "label"}));
  EXPECT_EQ(names_of(parse_csv(text, {.only = {"cpu_?", "net"}})), (Names{"cpu_a", "cpu_b", "net"}));
  EXPECT_EQ(names_of(parse_csv(text, {.only = {"net"}, .besides_schema = {"label"}})), (Names{"net", "label"}));
  EXPECT_EQ(names_of(parse_csv(text, {.ignore = {"*e*"}, .besides_schema = {"label"}})),
            (Names{"cpu_a", "cpu_b", "label"}));
  EXPECT_EQ(complaint(text, {.ignore = {"gpu_*"}}),
            "the file has no column that matches 'gpu_*', which is to be ignored; "
            "its columns are cpu_a, cpu_b, net, label.");
  EXPECT_EQ(complaint(text, {.only = {"nett"}}),
            "the file has no column 'nett', which is to be read; its columns are "
            "cpu_a, cpu_b, net, label. Did you mean net?");
}

TEST(csv, quoted_fields_may_hold_commas_newlines_and_doubled_quotes) {
  const TableRead read = parse_csv("\"a,\nb\",note\n\"1.5\",\"x, \"\"y\"\"\nz\"\n2,\"\"\"\"\n");
  EXPECT_EQ(names_of(read), (Names{"a,\nb", "note"}));
  EXPECT_EQ(read.columns[0].numbers, (Values{1.5, 2}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"x, \"y\"\nz", "\""}));
}

TEST(csv, doubled_quotes_in_a_name_are_one) {
  EXPECT_EQ(names_of(parse_csv("\"\"\"5\"\" pipe\"\n1\n")), Names{"\"5\" pipe"});
}

TEST(csv, a_bare_text_loses_its_outer_blanks_and_a_quoted_one_keeps_them) {
  EXPECT_EQ(column_of(" \tin Chile ").texts, Texts{"in Chile"});
  EXPECT_EQ(column_of("\" in Chile \"").texts, Texts{" in Chile "});
  EXPECT_EQ(column_of("\"  x\"").texts, Texts{"  x"});
}

TEST(csv, a_text_is_missing_if_it_is_empty_quoted_or_not) {
  const TableRead read = parse_csv("a,b\nx,1\n,2\n  ,3\n\"\",4\n\"  \",5\nnan,6\n");
  EXPECT_EQ(read.columns[0].texts, (Texts{"x", missing, missing, missing, "  ", "nan"}));
}

TEST(csv, one_field_that_is_no_number_makes_the_column_text_from_its_first_row_on) {
  const std::string text = "a,b,c\n 01 ,1,\nnan,2,\n1e999,3,7\n\"1\"\"\",4,\n\"2\",x,9007199254740993\n,6,y\n";
  const TableRead read = parse_csv(text);
  EXPECT_EQ(read.columns[0].texts, (Texts{"01", "nan", "1e999", "1\"", "2", missing}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"1", "2", "3", "4", "x", "6"}));
  EXPECT_EQ(read.columns[2].texts, (Texts{missing, missing, "7", missing, "9007199254740993", "y"}));
  for (const ColumnRead& column : read.columns) EXPECT_TRUE(column.numbers.empty()) << column.name;
}

TEST(csv, texts_and_names_that_are_no_utf8_are_refused_by_line_and_column) {
  EXPECT_EQ(complaint("a,city\n1,K\xC3\xB6ln\n2,K\xF6ln\n"),
            "line 3, column 'city', byte 17: must be UTF-8; got 'K\\xf6ln'. Save the file as UTF-8, or exclude the "
            "column with --ignore city.");
  EXPECT_EQ(complaint("a,gr\xF6\xDF"
                      "e\n1,2\n"),
            "line 1, byte 2: column names must be UTF-8; got 'gr\\xf6\\xdfe'. Save the file as UTF-8.");
  EXPECT_EQ(complaint("a,city\n1,K\xF6ln\n", {.ignore = {"city"}}), "");
}

TEST(csv, empty_fields_and_nan_are_missing) {
  for (const char* field : {"", "  ", "\"\"", "nan", "NaN", " nan "}) EXPECT_TRUE(std::isnan(value_of(field))) << field;
}

TEST(csv, other_words_for_missing_are_texts) {
  for (const char* field : {"NA", "N/A", "null", "-nan", "nan(1)", "NAN", "?", "-"})
    EXPECT_EQ(column_of(field).texts, Texts{field});
}

TEST(csv, an_empty_last_field_is_missing_even_at_the_end_of_the_file) {
  EXPECT_TRUE(std::isnan(parse_csv("a,b\n1,").columns[1].numbers[0]));
  EXPECT_EQ(parse_csv("a,b\n1,x\n1,").columns[1].texts[1], missing);
}

TEST(csv, a_blank_line_between_rows_of_one_column_is_a_missing_value) {
  const TableRead read = parse_csv("a\n1\n\n2\n\n");
  ASSERT_EQ(read.n_rows, 3U);
  EXPECT_TRUE(std::isnan(read.columns[0].numbers[1]));
}

TEST(csv, a_column_without_any_value_is_numbers) {
  EXPECT_EQ(parse_csv("a,b\n,1\n,2\n").columns[0].type, ColumnType::number);
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

TEST(csv, what_only_looks_like_a_number_is_text) {
  for (const char* field : {"1 2", "0x10", "1e", "+-1", "--1", "++1", "1.2.3", "1_000", "12abc"})
    EXPECT_EQ(column_of(field).texts, Texts{field});
}

TEST(csv, integers_are_held_exactly_or_refused) {
  EXPECT_EQ(value_of("9007199254740992"), 9007199254740992.0);
  EXPECT_EQ(value_of("-9007199254740994"), -9007199254740994.0);
  EXPECT_EQ(value_of("0000000000000000000012"), 12);
  EXPECT_EQ(value_of("18446744073709551616"), 18446744073709551616.0);
  for (const char* field : {"9007199254740993", "-9007199254740993", "+9007199254740993", "18446744073709551615",
                            "100000000000000000000000"})
    EXPECT_NE(complaint("a\n"s + field), "") << field;
  EXPECT_EQ(complaint("a\n1\n9007199254740993\n"),
            "line 3, column 'a', byte 4: must be an integer that a double represents exactly, such as all up to "
            "9007199254740992; "
            "got '9007199254740993'. Exclude the column with --ignore a, or declare it a category in a schema.");
}

TEST(csv, numbers_beyond_a_double_are_refused_as_such) {
  for (const char* field : {"1e999", "-1e999", "1e-400"})
    EXPECT_NE(complaint("a\n"s + field).find("must be in the range of a double"), std::string::npos) << field;
}

TEST(csv, of_several_numbers_beyond_a_double_the_first_in_the_file_is_told) {
  EXPECT_EQ(complaint("a,b\n1,2\n3,1e999\n-1e999,4\n5,1e998").substr(0, 18), "line 3, column 'b'");
  EXPECT_EQ(complaint("a,b\n1,2\n3,1e999\n-1e999,4\n5,x").substr(0, 18), "line 4, column 'a'");
}

TEST(csv, lines_are_counted_in_the_file_not_in_rows) {
  EXPECT_EQ(complaint("a,note\n1,\"x\ny\"\n1e999,\n").substr(0, 18), "line 4, column 'a'");
}

TEST(csv, bytes_are_counted_from_the_begin_of_the_file) {
  EXPECT_EQ(complaint("\xEF\xBB\xBFnote,a\r\n\"x\ny\",1\r\n,1e999\r\n").substr(0, 27), "line 4, column 'a', byte 21");
}

TEST(csv, what_came_is_quoted_short_and_without_control_characters) {
  EXPECT_NE(
      complaint("a\n\x1B[31m" + std::string(100, 'x') + "\xFF").find("got '\\x1b[31m" + std::string(35, 'x') + "...'"),
      std::string::npos);
}

TEST(csv, ignored_columns_are_skipped_whatever_they_hold) {
  const TableRead read = parse_csv("when,a,who\ntoday,1,\xFF\n,2,1e999\n", {.ignore = {"who", "when"}});
  EXPECT_EQ(names_of(read), Names{"a"});
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
}

TEST(csv, ignoring_a_column_that_is_not_there_is_refused) {
  EXPECT_EQ(complaint("a,b\n1,2\n", {.ignore = {"c"}}),
            "the file has no column 'c', which is to be ignored; its columns are a, b.");
}

TEST(csv, a_schema_keeps_texts_that_look_like_numbers) {
  const Schema schema{{
      {.name = "zip", .kind = Kind::category},
      {.name = "grade", .kind = Kind::ordinal, .levels = {"1", "2"}},
      {.name = "day", .kind = Kind::cyclic, .levels = {"1", "2"}},
      {.name = "paid", .kind = Kind::boolean},
      {.name = "opened", .kind = Kind::time},
  }};
  const TableRead read = parse_csv("zip,grade,day,paid,opened\n01,1,1,0,2026\n,2,2,1,2027\n", {.schema = &schema});
  for (const ColumnRead& column : read.columns) EXPECT_EQ(column.type, ColumnType::text) << column.name;
  EXPECT_EQ(read.columns[0].texts, (Texts{"01", missing}));
}

TEST(csv, a_schema_may_want_numbers_of_any_kind) {
  const Schema schema{{
      {.name = "amount", .kind = Kind::continuous},
      {.name = "code", .kind = Kind::category, .levels = {"1", "2"}, .numeric_levels = true},
      {.name = "grade", .kind = Kind::ordinal, .range = {{1, 6}}},
      {.name = "angle", .kind = Kind::cyclic, .period = 360},
      {.name = "opened", .kind = Kind::time, .epoch_unit = EpochUnit::seconds},
  }};
  const TableRead read = parse_csv("amount,code,grade,angle,opened\n1,01,3,90,0\n", {.schema = &schema});
  for (const ColumnRead& column : read.columns) EXPECT_EQ(column.type, ColumnType::number) << column.name;
  EXPECT_EQ(complaint("amount,code,grade,angle,opened\n1,1,1,1,1\nabc,1,1,1,1", {.schema = &schema}),
            "line 3, column 'amount', byte 41: must be a number, as the schema says; got 'abc'. Leave the field empty "
            "if it is missing, or declare the column a category in the schema.");
  for (const char* row : {"1,x,1,1,1", "1,1,x,1,1", "1,1,1,x,1", "1,1,1,1,x", "1,1e999,1,1,1"})
    EXPECT_NE(complaint("amount,code,grade,angle,opened\n"s + row, {.schema = &schema}), "") << row;
}

TEST(csv, an_ordinal_column_without_levels_is_what_it_looks_like) {
  const Schema schema{{{.name = "a", .kind = Kind::ordinal}, {.name = "b", .kind = Kind::ordinal}}};
  const TableRead read = parse_csv("a,b\n1,low\n2,high\n", {.schema = &schema});
  EXPECT_EQ(read.columns[0].type, ColumnType::number);
  EXPECT_EQ(read.columns[1].type, ColumnType::text);
}

TEST(csv, columns_that_a_schema_ignores_or_does_not_name_are_skipped) {
  const Schema schema{{{.name = "b", .kind = Kind::continuous}, {.name = "c", .kind = Kind::ignored}}};
  const TableRead read = parse_csv("a,b,c,d\n\xFF,1,\xFF,1e999\n", {.schema = &schema});
  EXPECT_EQ(names_of(read), Names{"b"});
  EXPECT_EQ(read.not_in_schema, (Names{"a", "d"}));
  EXPECT_EQ(parse_csv("a,b\n1,2\n").not_in_schema, Names{});
}

TEST(csv, a_column_of_the_schema_that_is_not_there_is_refused_unless_it_is_ignored) {
  const Schema schema{{{.name = "a"}, {.name = "b"}}};
  EXPECT_EQ(complaint("b,c\n1,2\n", {.schema = &schema}),
            "the file has no column 'a', which the model or the schema requires; its columns are b, c.");
  const Schema ignoring{{{.name = "a", .kind = Kind::ignored}, {.name = "b"}}};
  EXPECT_EQ(complaint("b,c\n1,2\n", {.schema = &ignoring}), "");
}

TEST(csv, columns_besides_the_schema_are_read_as_what_they_look_like) {
  const Schema schema{{{.name = "a", .kind = Kind::continuous}}};
  const ColumnSelection selection{.ignore = {"d"}, .schema = &schema, .besides_schema = {"b", "c"}};
  const TableRead read = parse_csv("a,b,c,d\n1,0,x,\n", selection);
  EXPECT_EQ(names_of(read), (Names{"a", "b", "c"}));
  EXPECT_EQ(read.columns[1].numbers, Values{0});
  EXPECT_EQ(read.columns[2].texts, Texts{"x"});
  EXPECT_EQ(read.not_in_schema, Names{});
}

TEST(csv, ragged_rows_are_refused) {
  EXPECT_EQ(
      complaint("a,b\n1,2\n3\n"),
      "line 3, byte 8: a row must have 2 fields, like the first row; got 1. Quote a field that contains a comma, or "
      "leave such rows out with --on-bad-row skip.");
  EXPECT_EQ(complaint("a,b\n1,2,3\n").substr(0, 66),
            "line 2, byte 4: a row must have 2 fields, like the first row; got ");
  EXPECT_NE(complaint("a,b\n1,2\n\n3,4\n"), "");
}

TEST(csv, header_names_must_be_there_and_differ) {
  EXPECT_EQ(complaint("a,,b\n1,2,3\n"),
            "line 1, byte 2: every column must have a name; column 2 has none. Name it in the header row, or use "
            "--no-header if the "
            "first row is data.");
  EXPECT_EQ(complaint("a,b, a\n1,2,3\n"),
            "line 1, byte 4: column names must differ; got 'a' twice. Rename one of the two, or use --no-header if the "
            "first row is data.");
}

TEST(csv, an_empty_file_is_refused) {
  for (const char* text : {"", "\n\r\n", "\xEF\xBB\xBF"})
    EXPECT_NE(complaint(text).find("the file is empty"), std::string::npos);
}

TEST(csv, a_header_alone_has_no_rows) {
  for (const char* text : {"a,b", "a,b\n"}) EXPECT_EQ(parse_csv(text).n_rows, 0U);
}

TEST(csv, an_open_quote_is_refused_at_the_line_where_it_opens) {
  EXPECT_EQ(complaint("a,b\n1,\"2\n3,4\n").substr(0, 73),
            "line 2, column 'b', byte 6: a field that begins with a quote must end wit");
}

TEST(csv, text_after_a_closing_quote_is_refused) {
  EXPECT_NE(complaint("a,b\n\"1\"2,3\n").find("got '2'"), std::string::npos);
}

TEST(csv, nul_bytes_and_lone_carriage_returns_are_refused) {
  EXPECT_EQ(complaint("a\n1\n2\0\n"s).substr(0, 64),
            "line 3, column 'a', byte 4: must be text without NUL bytes; got ");
  EXPECT_NE(complaint("a,b\n\"1\0\",2\n"s), "");
  EXPECT_NE(complaint("a,b\n1\0,2\n"s, {.ignore = {"a"}}), "");
  EXPECT_NE(complaint("a,b\r1,2\r").find("lone CR"), std::string::npos);
}

TEST(csv, a_quote_inside_a_bare_field_is_refused) {
  EXPECT_EQ(
      complaint("a,b\n1,5\" pipe\n"),
      "line 2, column 'b', byte 6: quotes must enclose a whole field, or be doubled inside a quoted one; got '5\" "
      "pipe'. Quote the field and double the quotes in it.");
  EXPECT_NE(complaint("a, \"b\"\n1,2\n"), "");
}

TEST(csv, the_header_shows_what_separates_fields) {
  for (const char* text : {"a;b,c;d\n1;2;3\n", "a\tb,c\td\n1\t2\t3\n", "a,b;c,d\n1,2,3\n", "a,\"b;;;c\",d\n1,2,3\n"})
    EXPECT_EQ(parse_csv(text).columns.size(), 3U) << text;
  EXPECT_EQ(names_of(read_all("a|b\n1|2\n", {.delimiter = '|'})), (Names{"a", "b"}));
  EXPECT_EQ(names_of(read_all("a;b,c\n1;2\n", {.decimal = ','})), (Names{"a", "b,c"}));
  EXPECT_EQ(complaint("a;b\n1;2\n1,5;2;3\n"),
            "line 3, byte 8: a row must have 2 fields, like the first row; got 3. Quote a field that contains a "
            "semicolon, or "
            "leave such rows out with --on-bad-row skip.");
}

TEST(csv, a_delimiter_that_fields_may_hold_is_refused) {
  for (const char delimiter : {'"', '\n', '1', 'e', '.', '-', '\0'})
    EXPECT_THROW(read_all("a\n1\n", {.delimiter = delimiter}), InvalidOption) << delimiter;
  EXPECT_THROW(read_all("a\n1\n", {.delimiter = ',', .decimal = ','}), InvalidOption);
  EXPECT_THROW(read_all("a\n1\n", {.decimal = '\''}), InvalidOption);
}

TEST(csv, numbers_may_have_a_decimal_comma) {
  const TableRead read = read_all("a;b\n1,5;-2\n,5;1.5\n1e3;x\n", {.decimal = ','});
  EXPECT_EQ(read.columns[0].numbers, (Values{1.5, 0.5, 1000}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"-2", "1.5", "x"}));
}

TEST(csv, a_decimal_comma_that_was_not_announced_is_refused) {
  EXPECT_NE(complaint("a;b\n1,5;2\n3;4\n").find("--decimal ,"), std::string::npos);
  const Schema schema{{{.name = "a", .kind = Kind::continuous}}};
  EXPECT_EQ(
      complaint("a;b\n1,5;2\n", {.schema = &schema}),
      "line 2, column 'a', byte 4: must be a number; got '1,5'. Use --decimal , if the comma is the decimal point.");
  EXPECT_EQ(parse_csv("a;b\n1,5;2\nx;4\n").columns[0].texts, (Texts{"1,5", "x"}));
}

TEST(csv, a_decimal_point_is_refused_where_a_comma_was_announced) {
  const TextFormat format{.decimal = ','};
  EXPECT_NE(read_all("a;b\n1.5;2\n3;4\n", format).refusal.find("must have a decimal comma"), std::string::npos);
  EXPECT_EQ(read_all("a;b\n1.5;2\nx;4\n", format).columns[0].texts, (Texts{"1.5", "x"}));
}

TEST(csv, words_for_missing_are_missing_in_numbers_and_texts) {
  const TextFormat format{.missing = {"NA", "-", "-999"}};
  const TableRead read = read_all("a,b\n1,x\nNA, - \n-,\"NA\"\n-999,-999\n-99,NA!\n", format);
  EXPECT_EQ(read.columns[0].numbers.size(), 5U);
  for (std::size_t row = 0; row < 5; ++row)
    EXPECT_EQ(std::isnan(read.columns[0].numbers[row]), row >= 1 && row <= 3) << row;
  EXPECT_EQ(read.columns[1].texts, (Texts{"x", missing, missing, missing, "NA!"}));
}

TEST(csv, bad_rows_can_be_left_out_and_are_counted) {
  const TableRead read = read_all("a,b\n1,x\n2\n3,x,y\n1e999,x\n4,5\" pipe\n5,\"x\"y\n6,\xFF\n7,\0\n8,\"y\nz\"\n9,z\n"s,
                                  {.skip_bad_rows = true});
  EXPECT_EQ(read.refusal, "");
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 8, 9}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"x", "y\nz", "z"}));
  EXPECT_EQ(read.n_bad_rows, 7U);
  EXPECT_EQ(read.first_bad_row.substr(0, 15), "line 3, byte 8:");
}

TEST(csv, bad_rows_do_not_say_what_a_column_is) {
  EXPECT_EQ(read_all("a,b\n1,2\nx\ny,1,2\n\xFF,3\n", {.skip_bad_rows = true}).columns[0].numbers, Values{1});
}

TEST(csv, an_open_quote_is_refused_even_if_bad_rows_are_left_out) {
  const TableRead read = read_all("a\n1\n\"2\n3\n", {.skip_bad_rows = true});
  EXPECT_EQ(read.columns[0].numbers, Values{1});
  EXPECT_EQ(read.refusal.substr(0, 26), "line 3, column 'a', byte 4");
  EXPECT_EQ(read.n_bad_rows, 0U);
}

TEST(csv, files_that_are_no_text_are_called_by_their_name) {
  const auto expect = [](const std::string& begin, std::string_view kind) {
    EXPECT_NE(complaint(begin + "abc,def\n1,2\n").find(kind), std::string::npos) << kind;
  };
  expect("\x1F\x8B\x08", "gzip");
  expect("\x28\xB5\x2F\xFD", "zstd");
  expect("PK\x03\x04", "zip");
  expect("PAR1", "Parquet");
  expect("%PDF-1.7", "PDF");
  expect("SQLite format 3\0"s, "SQLite");
  expect("\xFF\xFE"s, "UTF-16");
  expect("a\0,\0b\0"s, "UTF-16");
  expect(" \n<!DOCTYPE html>", "HTML");
}

TEST(csv, a_raised_cancel_flag_stops_the_reading) {
  const std::atomic<bool> cancel = true;
  pidforest::Run run;  // qualified: a GoogleTest fixture has a Run of its own
  run.cancel = &cancel;
  EXPECT_THROW(read_all("a\n1\n", {}, {}, run), Cancelled);
}

}  // namespace
}  // namespace pidforest::reader
