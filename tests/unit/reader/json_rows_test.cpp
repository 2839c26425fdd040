// SPDX-License-Identifier: Apache-2.0
#include "reader/json_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "unit/reader/read_all.h"

namespace pidforest::reader {
namespace {

using Values = std::vector<double>;

TableRead read_json(const std::string& text, const ColumnSelection& selection = {}, TextFormat format = {},
                    const ReaderSizes& sizes = {}) {
  format.form = TextFormat::Form::json_lines;
  return read_all(text, format, selection, {}, sizes);
}

std::string rejection(const std::string& text, const ColumnSelection& selection = {}) {
  return read_json(text, selection).refusal;
}

TEST(json_rows, keys_are_columns_in_the_order_in_which_they_come_up) {
  const TableRead read = read_json("{\"b\":1,\"a\":\"x\"}\n{\"c\":2.5,\"b\":-1e3}\n");
  ASSERT_EQ(read.columns.size(), 3U);
  EXPECT_EQ(read.columns[0].name, "b");
  EXPECT_EQ(read.columns[0].numbers, (Values{1, -1000}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"x", missing}));
  EXPECT_TRUE(std::isnan(read.columns[2].numbers[0]));
  EXPECT_EQ(read.columns[2].numbers[1], 2.5);
}

TEST(json_rows, blank_lines_line_ends_and_a_byte_order_mark_change_nothing) {
  const TableRead read = read_json("\xEF\xBB\xBF{\"a\":1}\r\n\n  \n{\"a\":2}");
  EXPECT_EQ(read.refusal, "");
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
}

TEST(json_rows, texts_stay_texts_though_they_look_like_numbers_and_truth_is_a_text) {
  const TableRead read =
      read_json("{\"a\":\"1\",\"b\":true,\"c\":1}\n{\"a\":\"\",\"b\":false,\"c\":\"x\"}\n{\"a\":null}\n");
  EXPECT_EQ(read.columns[0].texts, (Texts{"1", "", missing}));
  EXPECT_EQ(read.columns[1].texts, (Texts{"true", "false", missing}));
  EXPECT_EQ(read.columns[2].texts, (Texts{"1", "x", missing}));
}

TEST(json_rows, a_schema_may_want_numbers_of_texts_and_texts_of_numbers) {
  const Schema schema{{{.name = "a"}, {.name = "b", .kind = Kind::category}, {.name = "gone"}}};
  const TableRead read = read_json("{\"a\":\"1.5\",\"b\":7,\"z\":[1]}\n", {.schema = &schema});
  EXPECT_NE(read.refusal, "");  // a nested value is rejected even under a key that is not requested
  const TableRead flat = read_json("{\"a\":\"1.5\",\"b\":7,\"z\":1}\n{\"a\":2,\"y\":1}\n", {.schema = &schema});
  EXPECT_EQ(flat.refusal, "");
  EXPECT_EQ(flat.columns[0].numbers, (Values{1.5, 2}));
  EXPECT_EQ(flat.columns[1].texts, (Texts{"7", missing}));
  EXPECT_EQ(flat.columns[2].name, "gone");
  EXPECT_EQ(flat.not_in_schema, (std::vector<std::string>{"z", "y"}));
}

TEST(json_rows, a_schema_that_names_none_of_the_keys_is_refused) {
  const Schema schema{{{.name = "x"}}};
  EXPECT_NE(rejection("{\"a\":1}\n", {.schema = &schema}).find("The keys are a."), std::string::npos);
}

TEST(json_rows, words_for_missing_are_missing) {
  const TableRead read = read_json("{\"a\":1}\n{\"a\":\"NA\"}\n{\"a\":-999}\n", {}, {.missing = {"NA", "-999"}});
  EXPECT_EQ(read.columns[0].numbers[0], 1);
  EXPECT_TRUE(std::isnan(read.columns[0].numbers[1]));
  EXPECT_TRUE(std::isnan(read.columns[0].numbers[2]));
}

TEST(json_rows, what_is_wrong_is_told_with_line_key_and_byte) {
  EXPECT_EQ(rejection("{\"a\":1}\n{\"a\":{\"b\":1}}\n"),
            "line 2, column 'a', byte 8: must be a number, a string, true, false or null; got an object. Flatten it.");
  EXPECT_EQ(rejection("{\"a\":1}\n{\"a\":1,\"a\":2}\n"),
            "line 2, column 'a', byte 8: must occur once in an object; got it twice.");
  EXPECT_EQ(rejection("[1]\n"),
            "line 1, byte 0: a line must be one JSON object; got an array. Write one object per line.");
  EXPECT_EQ(rejection("{\"a\":1}\n7\n").substr(0, 53), "line 2, byte 8: a line must be one JSON object; got a");
  EXPECT_EQ(rejection("{\"a\":1}\n{\"a\":1} x\n").substr(0, 47), "line 2, byte 16: a line must be one JSON object");
  EXPECT_NE(rejection("{\"a\":1}\n{\"a\":1e999}\n").find("range of a double"), std::string::npos);
  EXPECT_NE(rejection("{\"a\":9007199254740993}\n").find("exactly"), std::string::npos);
  EXPECT_NE(rejection("{\"a\":\"\xFF\"}\n"), "");
  EXPECT_NE(rejection(std::string("{\"a\":1}\0\n", 9)), "");
  EXPECT_NE(rejection("{\"a\":1}\n{\"a\":\"x\n\"}\n"), "");
  EXPECT_NE(rejection("\n \n").find("empty"), std::string::npos);
}

TEST(json_rows, deep_nesting_is_refused_at_once) {
  EXPECT_NE(rejection("{\"a\":" + std::string(1'000'000, '[') + "\n").find("got an array"), std::string::npos);
  EXPECT_NE(rejection(std::string(1'000'000, '[') + "\n").find("got an array"), std::string::npos);
}

TEST(json_rows, a_new_key_after_the_stretch_is_refused_unless_it_is_ignored) {
  const std::string text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"b\":4}\n";
  const ReaderSizes sizes{.piece = 8, .stretch = 16};
  const TableRead read = read_json(text, {}, {}, sizes);
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
  EXPECT_EQ(read.refusal.substr(0, 28), "line 3, column 'b', byte 16:");
  EXPECT_EQ(read_json(text, {.ignore = {"b"}}, {}, sizes).columns[0].numbers, (Values{1, 2, 3}));
}

TEST(json_rows, bad_lines_can_be_left_out_and_are_counted) {
  const TableRead read =
      read_json("{\"a\":1}\n{\"a\":[]}\nx\n{\"a\":1e999}\n{\"a\":2}\n{\"a\":3\n", {}, {.skip_bad_rows = true});
  EXPECT_EQ(read.refusal, "");
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
  EXPECT_EQ(read.n_bad_rows, 4U);
  EXPECT_EQ(read.first_bad_row.substr(0, 27), "line 2, column 'a', byte 8:");
}

TEST(json_rows, lines_that_lack_most_keys_take_bounded_memory) {
  std::string text = "{";
  for (int i = 0; i < 2000; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1";
  text += "}\n";
  for (int i = 0; i < 10000; ++i) text += "{}\n";
  TextReader reader(bytes_of(text), {.form = TextFormat::Form::json_lines}, {}, {});
  std::size_t n_rows = 0;
  while (const std::optional<Table> rows = reader.next()) {
    EXPECT_LE(rows->n_rows() * rows->n_columns(), (std::size_t{1} << 22) + 4000);
    n_rows += rows->n_rows();
  }
  EXPECT_EQ(n_rows, 10001U);
}

}  // namespace
}  // namespace pidforest::reader
