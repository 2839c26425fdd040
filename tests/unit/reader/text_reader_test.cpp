// SPDX-License-Identifier: Apache-2.0
#include "reader/text_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pidforest/error.h"
#include "unit/reader/read_all.h"

namespace pidforest::reader {
namespace {

/// Everything that must not depend on how a text is split, with all missing numbers shown alike.
std::string shown(const TableRead& read) {
  std::string all;
  for (const ColumnRead& column : read.columns) {
    all += column.name + (column.type == ColumnType::text ? " texts" : " numbers");
    for (const double number : column.numbers) all += std::isnan(number) ? " -" : " " + std::to_string(number);
    for (const std::optional<std::string>& text : column.texts) all += text ? " '" + *text + "'" : " -";
    all += "\n";
  }
  return all + std::to_string(read.n_rows) + " rows, " + std::to_string(read.n_bad_rows) + " bad, " +
         read.first_bad_row + "; " + read.refusal;
}

/// A text made of troublesome fields and line ends.
rc::Gen<std::string> troublesome_text(std::vector<std::string> parts) {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(parts))),
                      [](const std::vector<std::string>& chosen) {
                        std::string text;
                        for (const std::string& part : chosen) text += part;
                        return text;
                      });
}

/// A source that returns a few bytes at a time.
ByteSource in_drops(std::string_view text, std::size_t most) {
  return
      [source = bytes_of(text), most](std::span<char> room) { return source(room.first(std::min(most, room.size()))); };
}

constexpr std::size_t stretch = 100;

void expect_the_same_however_cut(const std::string& text, const TextFormat& format) {
  const std::string expected = shown(read_all(text, format, {}, {.threads = 1}, {.stretch = stretch}));
  for (const auto& [threads, piece, most_rows] :
       {std::tuple{1U, *rc::gen::inRange(1, 64), 1}, {1U, 1, 1000}, {3U, *rc::gen::inRange(1, 64), 1000}}) {
    const ReaderSizes sizes{
        .piece = static_cast<std::size_t>(piece), .stretch = stretch, .most_rows = static_cast<std::size_t>(most_rows)};
    RC_ASSERT(shown(read_all(text, format, {}, {.threads = threads}, sizes)) == expected);
  }
}

RC_GTEST_PROP(text_reader, neither_threads_nor_sizes_of_pieces_change_what_is_read, ()) {
  const std::string rows = *troublesome_text({"1",     "NA",       "\"1,234\"",   "-2.5",  "x",     ",",   ",",
                                              ",",     "\n",       "\n",          "\n",    "\r\n",  "\"",  "\"",
                                              "\"\"",  "\"a\nb\"", "\"c,\"\"d\"", "1,2\n", "3,4\n", ",\n", "5,x\n",
                                              "y,6\n", "1e999",    "\r",          "\xFF",  " "});
  expect_the_same_however_cut("a,b\n" + rows, {.skip_bad_rows = *rc::gen::arbitrary<bool>()});
}

RC_GTEST_PROP(text_reader, well_formed_rows_are_read_however_they_are_cut, ()) {
  const std::string rows =
      *troublesome_text({"1,2\n", "3,\n", ",\"4\"\r\n", "\"a\nb\",\"c,\"\"d\"\n", ",\n", "-5e3,6.25\r\n"});
  expect_the_same_however_cut("a,b\n" + rows, {});
  RC_ASSERT(read_all("a,b\n" + rows).refusal.empty());
}

RC_GTEST_PROP(text_reader, any_bytes_give_rows_or_invalid_input, (const std::string& bytes)) {
  const auto form = *rc::gen::element(TextFormat::Form::csv, TextFormat::Form::json_lines);
  expect_the_same_however_cut(bytes, {.form = form, .skip_bad_rows = *rc::gen::arbitrary<bool>()});
}

RC_GTEST_PROP(text_reader, neither_threads_nor_sizes_of_pieces_change_what_is_read_of_json_lines, ()) {
  const std::string rows =
      *troublesome_text({"{\"a\":1}\n", "{\"a\":2,\"b\":\"x\"}\n", "{\"b\":3}\r\n", "{}\n", "\n", "{\"a\":[]}\n",
                         "{\"a\":1e999}\n", "{\"a\":\"y\"}\n", "{\"c\":true}\n", "{\"d\":{\"e\":1,\"f\":{}}}\n",
                         "{\"a\":\"NA\"}\n", "{\"b\":null}\n", "{", "\"a\":1,", "}"});
  expect_the_same_however_cut(rows,
                              {.form = TextFormat::Form::json_lines, .skip_bad_rows = *rc::gen::arbitrary<bool>()});
}

RC_GTEST_PROP(text_reader, neither_threads_nor_sizes_of_pieces_change_what_is_read_of_json_arrays, ()) {
  const std::string items =
      *troublesome_text({"{\"a\":1}", "{\"a\":2,\n\"b\":\"x\\\"]\"}", "{}", ",", ",", ",", "\n", "]", "{\"a\":[{},{}]}",
                         "{\"a\":1e999}", "[", "{\"c\":{\"d\":3}}", "7", "\""});
  expect_the_same_however_cut("[" + items + "]",
                              {.form = TextFormat::Form::json_lines, .skip_bad_rows = *rc::gen::arbitrary<bool>()});
}

TEST(text_reader, words_for_missing_are_counted_however_the_rows_are_cut) {
  const std::string text = "a,b,c\n1,NA,NA\nNA,2,x\n?,NA,-\n3,4\n-,null,y\n";
  for (const std::size_t piece : {3, 7, 1000}) {
    TextReader reader(bytes_of(text), {.skip_bad_rows = true}, {}, {.threads = 2}, {.piece = piece});
    const TableRead read = read_all(reader);
    EXPECT_EQ(read.columns[2].texts, (Texts{"NA", "x", "-", "y"}));
    const std::vector<MissingByWords> found = reader.missing_by_words();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].column + " " + found[0].words, "a NA, - and ?");
    EXPECT_EQ(found[0].n_values, 3U);
    EXPECT_EQ(found[1].words, "NA and null");
    EXPECT_EQ(found[1].n_values, 3U);
  }
}

TEST(text_reader, words_alone_make_a_column_of_texts) {
  EXPECT_EQ(read_all("a,b\nNA,1\n-,2\n").columns[0].texts, (Texts{"NA", "-"}));
  EXPECT_EQ(read_all("a\n\n\nNA\n5\n", {}, {}, {}, {.piece = 2, .stretch = 4}).columns[0].texts.back(), "5");
}

TEST(text_reader, commas_between_thousands_are_not_taken_for_decimal_points) {
  EXPECT_EQ(read_all("a,b\n\"1,234\",1\n\"12,500\",2\n").columns[0].texts, (Texts{"1,234", "12,500"}));
  EXPECT_NE(read_all("a,b\n\"1,234\",1\n\"12,5\",2\n").refusal.find("Use --decimal ,"), std::string::npos);
}

TEST(text_reader, a_source_may_give_a_few_bytes_at_a_time) {
  const std::string text = "a,b\n1,x\n2,\"y\nz\"\n3,w";
  for (std::size_t most = 1; most < 5; ++most) {
    TextReader reader(in_drops(text, most), {}, {}, {});
    EXPECT_EQ(shown(read_all(reader)), shown(read_all(text))) << most;
    EXPECT_EQ(reader.n_bytes_read(), text.size());
  }
}

TEST(text_reader, a_text_after_the_stretch_is_refused_in_a_column_of_numbers) {
  const TableRead read = read_all("a\n1\n2\nx\n3\n", {}, {}, {}, {.piece = 3, .stretch = 6});
  EXPECT_EQ(read.columns[0].numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(read.refusal,
            "line 4, column 'a', byte 6: must be a number, like all values before it; got 'x'. Leave the field empty "
            "if it is missing, or declare the column a category in a schema.");
}

TEST(text_reader, a_column_without_values_in_the_stretch_is_what_its_first_value_is) {
  for (const unsigned threads : {1U, 3U}) {
    const ReaderSizes sizes{.piece = 4, .stretch = 8};
    const TableRead read = read_all("a,b\n,1\n,2\n,3\nx,4\n5,5\n", {}, {}, {.threads = threads}, sizes);
    EXPECT_EQ(read.columns[0].texts, (Texts{{}, {}, {}, "x", "5"}));
    EXPECT_EQ(read_all("a,b\n,1\n,2\n,3\n4,4\nx,5\n", {}, {}, {.threads = threads}, sizes).refusal.substr(0, 27),
              "line 6, column 'a', byte 17");
  }
}

TEST(text_reader, what_is_no_utf8_is_quoted_alike_before_and_after_a_column_is_decided) {
  const std::string text = "a,b\n \xFF ,1\nx,2\n";
  const TableRead whole = read_all(text, {.skip_bad_rows = true});
  EXPECT_EQ(whole.n_bad_rows, 1U);
  EXPECT_NE(whole.first_bad_row.find("got '\\xff'"), std::string::npos);
  EXPECT_EQ(read_all(text, {.skip_bad_rows = true}, {}, {}, {.piece = 4, .stretch = 8}).first_bad_row,
            whole.first_bad_row);
}

TEST(text_reader, batches_have_no_more_rows_than_promised) {
  std::string text = "a\n";
  for (int i = 0; i < 200000; ++i) text += "1\n";
  const TableRead read = read_all(text);
  EXPECT_EQ(read.n_rows, 200000U);
  EXPECT_LE(read.largest_batch, 65536U);
}

TEST(text_reader, a_row_that_never_ends_is_refused) {
  const ReaderSizes sizes{.piece = 16, .stretch = 16, .longest_row = 100};
  EXPECT_NE(read_all("a\n1\n\"" + std::string(1000, 'x'), {}, {}, {}, sizes).refusal.find("at most 100 bytes"),
            std::string::npos);
  EXPECT_NE(read_all(std::string(1000, 'x'), {}, {}, {}, sizes).refusal.find("at most 100 bytes"), std::string::npos);
}

TEST(text_reader, a_file_without_rows_gives_one_table_without_rows) {
  TextReader reader(bytes_of("a,b\n"), {}, {}, {});
  const std::optional<Table> table = reader.next();
  ASSERT_TRUE(table);
  EXPECT_EQ(table->n_rows(), 0U);
  EXPECT_EQ(table->n_columns(), 2U);
  EXPECT_FALSE(reader.next());
}

TEST(text_reader, progress_counts_bytes) {
  std::string text = "a\n";
  for (int i = 0; i < 100; ++i) text += "1\n";
  std::uint64_t last = 0;
  pidforest::Run run;
  run.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "reading");
    EXPECT_GE(progress.done, last);
    last = progress.done;
  };
  read_all(text, {}, {}, run, {.piece = 10, .stretch = 10});
  EXPECT_EQ(last, text.size());
}

TEST(text_reader, what_the_source_throws_reaches_the_caller) {
  const ByteSource broken = [](std::span<char>) -> std::size_t { throw FileError("gone"); };
  EXPECT_THROW(TextReader(broken, {}, {}, {}), FileError);
}

}  // namespace
}  // namespace pidforest::reader
