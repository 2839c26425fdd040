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
  EXPECT_EQ(rejection("{\"a\":1}\n{\"a\":1,\"a\":2}\n"),
            "line 2, column 'a', byte 8: must occur once in an object; got it twice.");
  EXPECT_EQ(rejection("{\"a\":1}\n[1]\n"), "line 2, byte 8: a line must be one JSON object; got an array.");
  EXPECT_EQ(rejection("{\"a\":1}\n7\n").substr(0, 53), "line 2, byte 8: a line must be one JSON object; got a");
  EXPECT_EQ(rejection("{\"a\":1}\n{\"a\":1} x\n").substr(0, 47), "line 2, byte 16: a line must be one JSON object");
  EXPECT_NE(rejection("{\"a\":1}\n{\"a\":1e999}\n").find("range of a double"), std::string::npos);
  EXPECT_NE(rejection("{\"a\":9007199254740993}\n").find("exactly"), std::string::npos);
  EXPECT_NE(rejection("{\"a\":\"\xFF\"}\n"), "");
  EXPECT_NE(rejection(std::string("{\"a\":1}\0\n", 9)), "");
  EXPECT_NE(rejection("{\"a\":1}\n{\"a\":\"x\n\"}\n"), "");
  EXPECT_NE(rejection("\n \n").find("empty"), std::string::npos);
}

TEST(json_rows, deep_nesting_takes_no_stack) {
  const std::string open(1'000'000, '[');
  EXPECT_NE(rejection("{\"a\":" + open + "\n").find("a line must be one JSON object"), std::string::npos);
  EXPECT_NE(rejection(open + "\n").find("must be a JSON object; got an array"), std::string::npos);
  EXPECT_EQ(read_json("{\"a\":" + open + std::string(1'000'000, ']') + ",\"b\":1}\n").columns.size(), 1U);
}

TEST(json_rows, a_mistake_in_every_line_is_blamed_on_its_own_key) {
  EXPECT_EQ(rejection("{\"id\":1,\"x\":1e999}\n{\"id\":2,\"x\":1e999}\n").substr(0, 27), "line 1, column 'x', byte 0:");
}

TEST(json_rows, members_of_objects_are_columns_and_deeper_values_are_counted) {
  const std::string text = R"({"id":1,"pos":{"x":1.5,"path":[1,{"q":2}],"deep":{"z":3}},"tags":["a"]})"
                           "\n"
                           R"({"id":2,"tags":[],"pos":null})"
                           "\n";
  TextReader reader(bytes_of(text), {.form = TextFormat::Form::json_lines}, {}, {});
  const TableRead read = read_all(reader);
  EXPECT_EQ(read.refusal, "");
  ASSERT_EQ(read.columns.size(), 3U);
  EXPECT_EQ(read.columns[0].numbers, (Values{1, 2}));
  EXPECT_EQ(read.columns[1].name, "pos.x");
  EXPECT_EQ(read.columns[1].numbers[0], 1.5);
  EXPECT_EQ(read.columns[2].name, "pos");
  std::vector<std::string> unread;
  for (const NestedValues& found : reader.nested_values())
    unread.push_back(found.key + " " + std::to_string(found.n_values));
  EXPECT_EQ(unread, (std::vector<std::string>{"pos.deep 1", "pos.path 1", "tags 2"}));
}

TEST(json_rows, an_array_of_objects_is_read_as_lines_are) {
  const std::string lines = "{\"a\":1,\"b\":\"x, ]\"}\n{\"a\":2,\"c\":[{}]}\n";
  const TableRead expected = read_json(lines);
  for (const char* text : {R"([{"a":1,"b":"x, ]"},{"a":2,"c":[{}]}])",
                           "\xEF\xBB\xBF \n[\r\n  {\n    \"a\": 1,\r\n    \"b\": \"x, ]\"\n  },\n\n"
                           "  {\"a\": 2, \"c\": [{}]}\n]\n\n"}) {
    for (const auto form : {TextFormat::Form::json_lines, TextFormat::Form::any}) {
      const TableRead read = read_all(text, {.form = form});
      EXPECT_EQ(read.refusal, "") << text;
      ASSERT_EQ(read.columns.size(), 2U);
      EXPECT_EQ(read.columns[0].numbers, expected.columns[0].numbers);
      EXPECT_EQ(read.columns[1].texts, expected.columns[1].texts);
    }
  }
}

TEST(json_rows, a_mistake_in_an_array_is_told_with_its_line_in_the_file) {
  EXPECT_EQ(rejection("[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": x\n  }\n]\n").substr(0, 61),
            "line 6, byte 35: an item of the array must be a JSON object; ");
  EXPECT_EQ(rejection("[{\"a\":1},\n7]"), "line 2, byte 9: an item of the array must be a JSON object; got a value.");
  EXPECT_EQ(rejection("[{\"a\":1}\n"),
            "line 2: a JSON array must end with ']'; got the end of the file. Is it cut off?");
  EXPECT_EQ(rejection("[{\"a\":1}]\n{\"a\":2}\n"), "line 2: nothing must follow the end of a JSON array; got '{'.");
  EXPECT_EQ(rejection("[ ]\n"), "a JSON array must have at least one object; it is empty.");
  EXPECT_NE(rejection("[}"), "");
  EXPECT_NE(rejection("[{\"a\":1]}"), "");
}

TEST(json_rows, json_is_told_from_csv_by_its_first_bytes) {
  const auto reads_json = [](const std::string& text) {
    return TextReader(bytes_of(text), {.form = TextFormat::Form::any}, {}, {}).is_json();
  };
  EXPECT_TRUE(reads_json(" \n{ \"a\":1}\n"));
  EXPECT_TRUE(reads_json("[ {\"a\":1}]"));
  for (const char* text : {"a,b\n1,2\n", "[a],[b]\n1,2\n", "{a},b\n1,2\n", "{\n1\n"})
    EXPECT_FALSE(reads_json(text)) << text;
}

TEST(json_rows, words_for_missing_among_numbers_are_counted) {
  const std::string text = "{\"a\":1,\"b\":\"NA\"}\n{\"a\":\"NA\",\"b\":\"x\"}\n{\"a\":\"null\"}\n";
  TextReader reader(bytes_of(text), {.form = TextFormat::Form::json_lines}, {}, {});
  const TableRead read = read_all(reader);
  EXPECT_EQ(read.columns[0].numbers.size(), 3U);
  EXPECT_EQ(read.columns[1].texts, (Texts{"NA", "x", missing}));
  ASSERT_EQ(reader.missing_by_words().size(), 1U);
  EXPECT_EQ(reader.missing_by_words()[0].words, "NA and null");
  EXPECT_EQ(reader.missing_by_words()[0].n_values, 2U);
}

TEST(json_rows, a_new_key_after_the_stretch_is_a_column_unless_it_is_ignored) {
  const std::string text =
      "{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"b\":4}\n{\"c\":\"x\",\"b\":5,\"a\":4}\n{\"d\":1,\"a\":1e999}\n";
  const ReaderSizes sizes{.piece = 8, .stretch = 16};
  TextReader reader(bytes_of(text), {.form = TextFormat::Form::json_lines, .skip_bad_rows = true}, {}, {}, sizes);
  TableStore rows;
  while (const std::optional<Table> batch = reader.next()) rows.append(*batch);
  ASSERT_EQ(rows.header().n_columns(), 3U);
  EXPECT_EQ(rows.header().columns()[1].name, "b");
  EXPECT_EQ(rows.header().columns()[2].type, ColumnType::text);
  std::vector<double> b;
  rows.for_each_part(1, [&](const Column& part, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) b.push_back(std::isnan(part.number(row)) ? -1 : part.number(row));
  });
  EXPECT_EQ(b, (Values{-1, -1, 4, 5}));
  EXPECT_EQ(read_json(text, {.ignore = {"b", "c", "d"}}, {.skip_bad_rows = true}, sizes).columns.size(), 1U);
}

TEST(json_rows, bad_lines_can_be_left_out_and_are_counted) {
  const TableRead read =
      read_json("{\"a\":1}\n{\"a\":1,\"a\":1}\nx\n{\"a\":1e999}\n{\"a\":2}\n{\"a\":3\n", {}, {.skip_bad_rows = true});
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
