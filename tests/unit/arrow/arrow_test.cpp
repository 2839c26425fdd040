// SPDX-License-Identifier: Apache-2.0
#include "pidforest/arrow.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "pidforest/schema.h"
#include "unit/arrow/arrow_table.h"

namespace pidforest {
namespace {

using std::nullopt;

TEST(arrow, a_slice_of_a_record_batch_slices_its_columns) {
  AllReleased all;
  const MadeArray numbers = made_numbers<std::int32_t>("i", {9, 0, 1, 2, nullopt, 4}).sliced(1, 5);
  const MadeArray texts = made_texts("u", {"a", "b", "c", "d", "e"});
  const MadeArray batch = made_batch(5, {numbers.named("n"), texts.named("t")});
  EXPECT_EQ(shown(table_of({batch.sliced(2, 3), batch.sliced(0, 1)}, all.ledger)),
            (Shown{"0 n: numbers 2, 0 t: 'c'", "1 n: numbers nan, 1 t: 'd'", "2 n: numbers 4, 2 t: 'e'",
                   "3 n: numbers 0, 3 t: 'a'"}));
}

TEST(arrow, what_is_missing_in_the_record_batch_is_missing_in_its_columns) {
  AllReleased all;
  MadeArray batch = made_batch(
      4, {made_numbers<double>("g", {1, 2, nullopt, 4}).named("n"), made_texts("u", {"a", "b", "c", "d"}).named("t")});
  batch.buffers[0] = "\x0D";  // the second row is null
  batch.null_count = -1;
  EXPECT_EQ(shown(table_of({batch.sliced(1, 3)}, all.ledger)),
            (Shown{"0 n: numbers nan, 0 t: no text", "1 n: numbers nan, 1 t: 'c'", "2 n: numbers 4, 2 t: 'd'"}));
}

TEST(arrow, doubles_and_microseconds_without_nulls_are_viewed) {
  AllReleased all;
  const MadeArray with_bits =
      made_numbers<double>("g", {nullopt, 2, 3, 4}).sliced(1, 3);  // has bits, and all of them are set
  const MadeArray batch = made_batch(3, {with_bits.named("a"), made_numbers<double>("g", {5, 6, 7}).named("b"),
                                         made_numbers<std::int64_t>("tsu:", {8, 9, 10}).named("c")});
  const ArrayTable table = table_of({batch}, all.ledger);
  ASSERT_NE(table.in_memory(), nullptr);
  EXPECT_EQ(table.in_memory()->columns()[0].number(2), 4);
  EXPECT_EQ(table_of({batch, batch}, all.ledger).in_memory(), nullptr);
}

TEST(arrow, a_stream_without_batches_has_columns) {
  AllReleased all;
  const MadeArray batch = made_batch(0, {made_numbers<double>("g", {}).named("a"), made_texts("u", {}).named("b")});
  ArrowArrayStream stream = give_stream({.schema = batch}, all.ledger);
  const ArrayTable none = ArrayTable::from_arrow(&stream);
  EXPECT_EQ(none.n_rows(), 0U);
  ASSERT_EQ(none.header().n_columns(), 2U);
  EXPECT_EQ(none.header().columns()[1].type, ColumnType::text);
  std::vector<std::size_t> visits;
  stream = give_stream({.schema = batch}, all.ledger);
  for_each_batch(&stream, [&](const ArrayTable& visited) { visits.push_back(visited.header().n_columns()); });
  EXPECT_EQ(visits, std::vector<std::size_t>{2});
  const ArrayTable empty = table_of({batch, batch}, all.ledger);
  EXPECT_EQ(empty.n_rows(), 0U);
  EXPECT_TRUE(shown(empty).empty());
}

TEST(arrow, empty_arrays_need_no_buffers_with_values) {
  MadeArray none = made_numbers<double>("g", {});
  none.buffers = {nullopt, nullopt};
  MadeArray no_texts = made_texts("u", {});
  no_texts.buffers = {nullopt, nullopt, nullopt};
  EXPECT_TRUE(shown_column(none).empty());
  EXPECT_TRUE(shown_column(no_texts).empty());
}

TEST(arrow, columns_may_be_cut_differently) {
  AllReleased all;
  ArrayTable table(5);
  ArrowArrayStream numbers = give_stream({.schema = made_numbers<double>("g", {}),
                                          .arrays = {made_numbers<double>("g", {1, 2, 3}),
                                                     made_numbers<double>("g", {}), made_numbers<double>("g", {4, 5})}},
                                         all.ledger);
  ArrowArrayStream texts = give_stream(
      {.schema = made_texts("u", {}), .arrays = {made_texts("u", {"a"}), made_texts("u", {"b", "c", "d", "e"})}},
      all.ledger);
  table.add_arrow("n", &numbers);
  table.add_arrow("t", &texts);
  ArrowSchema schema = give_schema(made_booleans({}), all.ledger);
  ArrowArray array = give_array(made_booleans({true, true, false, true, nullopt}), all.ledger);
  table.add_arrow("b", &schema, &array);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
  std::vector<std::size_t> sizes;
  table.for_each([&](const Table& batch) { sizes.push_back(batch.n_rows()); });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 2, 2}));
  EXPECT_EQ(shown(table),
            (Shown{"0 n: numbers 1, 0 t: 'a', 0 b: booleans 1", "1 n: numbers 2, 1 t: 'b', 1 b: booleans 1",
                   "2 n: numbers 3, 2 t: 'c', 2 b: booleans 0", "3 n: numbers 4, 3 t: 'd', 3 b: booleans 1",
                   "4 n: numbers 5, 4 t: 'e', 4 b: booleans nan"}));
}

TEST(arrow, the_parts_of_a_column_are_its_rows) {
  AllReleased all;
  const ArrayTable table = table_of(
      {batch_of(made_texts("u", {"a", "b"})), batch_of(made_texts("u", {})), batch_of(made_texts("u", {std::nullopt}))},
      all.ledger);
  EXPECT_EQ(shown_parts(table, 0), shown(table));
  EXPECT_EQ(shown_parts(table, 0), (Shown{"0 x: 'a'", "1 x: 'b'", "2 x: no text"}));
}

TEST(arrow, another_number_of_values_than_rows_is_refused) {
  AllReleased all;
  ArrayTable table(3);
  ArrowArrayStream stream =
      give_stream({.schema = made_texts("u", {}), .arrays = {made_texts("u", {"a", "b"})}}, all.ledger);
  EXPECT_EQ(complaint([&] { table.add_arrow("t", &stream); }), "column 't' must have 3 values, one per row; got 2.");
}

TEST(arrow, one_record_batch_needs_no_stream) {
  AllReleased all;
  const MadeArray batch = batch_of(made_numbers<double>("g", {1, 2}));
  ArrowSchema schema = give_schema(batch, all.ledger);
  ArrowArray array = give_array(batch, all.ledger);
  EXPECT_EQ(shown(ArrayTable::from_arrow(&schema, &array)), (Shown{"0 x: numbers 1", "1 x: numbers 2"}));
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
}

TEST(arrow, batches_of_a_stream_are_gone_after_their_visit_and_rows_are_those_of_the_stream) {
  AllReleased all;
  const std::vector<MadeArray> batches{batch_of(made_numbers<double>("g", {1, 2})),
                                       batch_of(made_numbers<double>("g", {})),
                                       batch_of(made_numbers<double>("g", {3}))};
  ArrowArrayStream stream = give_stream({.schema = batches.front(), .arrays = batches}, all.ledger);
  std::vector<Shown> visits;
  for_each_batch(&stream, [&](const ArrayTable& batch) {
    EXPECT_LE(all.ledger.n_given - all.ledger.n_released, 1 + 2 + 2);  // stream, schema and array with a column each
    visits.push_back(shown(batch));
  });
  EXPECT_EQ(visits, (std::vector<Shown>{{"0 x: numbers 1", "1 x: numbers 2"}, {}, {"2 x: numbers 3"}}));
}

TEST(arrow, what_a_visitor_throws_reaches_the_caller_and_leaves_nothing_behind) {
  AllReleased all;
  const MadeArray batch = batch_of(made_numbers<double>("g", {1}));
  ArrowArrayStream stream = give_stream({.schema = batch, .arrays = {batch, batch}}, all.ledger);
  EXPECT_THROW(for_each_batch(&stream, [](const ArrayTable&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
}

TEST(arrow, an_error_of_the_stream_is_told_in_its_own_words) {
  AllReleased all;
  const MadeArray batch = batch_of(made_numbers<double>("g", {1}));
  ArrowArrayStream stream =
      give_stream({.schema = batch, .arrays = {batch}, .error = "the disk is on fire"}, all.ledger);
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&stream); }),
            "an Arrow stream must be readable to its end; it says: the disk is on fire");
}

TEST(arrow, what_is_released_already_is_refused) {
  AllReleased all;
  ArrowArrayStream stream{};
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&stream); }),
            "an Arrow stream must not have been used before; got a released one.");
  ArrowSchema schema{};
  ArrowArray array = give_array(batch_of(made_numbers<double>("g", {1})), all.ledger);
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&schema, &array); }),
            "an Arrow schema must not have been used before; got a released one.");
}

TEST(arrow, types_that_are_no_columns_are_named_in_words) {
  const auto complaint_of_type = [](const std::string& format) { return complaint_of(MadeArray{.format = format}); };
  EXPECT_EQ(
      complaint_of_type("+l"),
      "column 'x' must contain numbers, booleans, text, times or durations; got a list. Exclude it, or convert it "
      "to one of these types.");
  for (const auto& [format, words] :
       std::vector<std::pair<std::string, std::string>>{{"+L", "a list."},
                                                        {"+vl", "a list."},
                                                        {"+vL", "a list."},
                                                        {"+w:3", "a list of fixed size."},
                                                        {"+s", "a struct."},
                                                        {"+m", "a map."},
                                                        {"+ud:0,1", "a union."},
                                                        {"+us:0,1", "a union."},
                                                        {"+r", "run-end encoded values."},
                                                        {"z", "binary data."},
                                                        {"Z", "binary data."},
                                                        {"vz", "binary data."},
                                                        {"w:42", "binary data of fixed size."},
                                                        {"tiM", "an interval."},
                                                        {"tin", "an interval."},
                                                        {"d:9", "the Arrow format 'd:9'."},
                                                        {"d:9,2,12", "the Arrow format 'd:9,2,12'."},
                                                        {"tsx:", "the Arrow format 'tsx:'."},
                                                        {"", "the Arrow format ''."}})
    EXPECT_NE(complaint_of_type(format).find("; got " + words), std::string::npos) << complaint_of_type(format);
}

TEST(arrow, codes_must_be_integers_of_plain_levels) {
  const std::string words = "column 'x': codes of levels must be integers, and the levels plain values.";
  const MadeArray levels = made_texts("u", {"a"});
  EXPECT_EQ(complaint_of(with_levels(made_numbers<double>("g", {0}), levels)), words);
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::int8_t>("c", {0}),
                                     with_levels(made_numbers<std::int8_t>("c", {0}), levels))),
            words);
  EXPECT_NE(complaint_of(with_levels(made_numbers<std::int8_t>("c", {0}), {.format = "+l"})).find("got a list"),
            std::string::npos);
}

TEST(arrow, a_table_must_be_record_batches_with_distinct_names) {
  AllReleased all;
  const auto complaint_of_batch = [&](const MadeArray& batch) {
    return complaint([&] { (void)table_of({batch}, all.ledger); });
  };
  const MadeArray column = made_numbers<double>("g", {1});
  EXPECT_EQ(complaint_of_batch(column),
            "a table must come as Arrow record batches, which are structs of columns; got the Arrow format 'g'.");
  EXPECT_EQ(complaint_of_batch(made_batch(1, {column.named("a"), column.named("a")})),
            "two columns are named 'a'; names must differ.");
  EXPECT_EQ(complaint_of_batch(made_batch(1, {column})), "column 1 has no name.");
}

TEST(arrow, arrays_that_contradict_themselves_are_refused) {
  const MadeArray column = made_numbers<double>("g", {1, 2});
  const auto with = [&](auto change) {
    MadeArray made = column;
    change(made);
    return made;
  };
  EXPECT_EQ(complaint_of(with([](MadeArray& made) { made.length = -1; })),
            "a record batch must have a length of at least 0 and at most 2^57; got -1.");
  EXPECT_EQ(complaint_of(with([](MadeArray& made) { made.offset = -1; })),
            "column 'x': an Arrow array of its type must have an offset of at least 0 and at most 2^57; got -1.");
  EXPECT_EQ(complaint_of(with([](MadeArray& made) { made.buffers.pop_back(); })),
            "column 'x': an Arrow array of its type must have 2 buffers; got 1.");
  EXPECT_EQ(complaint_of(with([](MadeArray& made) { made.buffers[1] = nullopt; })),
            "column 'x': an Arrow array with rows must have its values; buffer 1 is null.");
  EXPECT_EQ(complaint_of(with([](MadeArray& made) { made.dictionary = {made_texts("u", {"a"})}; })),
            "column 'x': codes of levels must be integers, and the levels plain values.");
}

TEST(arrow, batches_that_contradict_their_schema_are_refused) {
  AllReleased all;
  const MadeArray good = batch_of(made_numbers<double>("g", {1, 2}));
  const auto complaint_of_second = [&](const MadeArray& bad) {
    return complaint([&] { (void)table_of({good, bad}, all.ledger); });
  };
  MadeArray bad = good;
  bad.length = 3;
  EXPECT_EQ(complaint_of_second(bad), "column 'x': its Arrow array must have 3 values, like its record batch; got 2.");
  bad = good;
  bad.children.clear();
  EXPECT_EQ(complaint_of_second(bad), "a record batch must have the 1 columns of its schema; got 0.");
  const MadeArray codes = with_levels(made_numbers<std::int8_t>("c", {0}), made_texts("u", {"a"}));
  const MadeArray first = batch_of(codes);
  bad = batch_of(made_numbers<std::int8_t>("c", {0}));
  EXPECT_EQ(complaint([&] { (void)table_of({first, bad}, all.ledger); }),
            "column 'x': an Arrow array of codes must have a dictionary of levels; got none.");
}

TEST(arrow, columns_that_are_null_are_refused) {
  AllReleased all;
  const MadeArray batch = batch_of(made_numbers<double>("g", {1}));
  ArrowSchema schema = give_schema(batch, all.ledger);
  ArrowArray array = give_array(batch, all.ledger);
  array.children[0] = nullptr;
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&schema, &array); }),
            "a record batch must have all its columns; some are null.");
  schema = give_schema(batch, all.ledger);
  array = give_array(batch, all.ledger);
  schema.children[0] = nullptr;
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&schema, &array); }),
            "an Arrow schema must have all its columns; some are null.");
}

TEST(arrow, texts_beyond_their_buffers_are_refused) {
  MadeArray made = made_texts("u", {"a", "b"});
  made.buffers[1] = bytes_of(std::int32_t{0}) + bytes_of(std::int32_t{1}) + bytes_of(std::int32_t{-1});
  EXPECT_EQ(complaint_of(made), "row 2, column 'x': the text must lie within its Arrow buffer; got offsets 1 to -1.");
  MadeArray views = made_texts("vu", {"more than twelve bytes"});
  views.buffers[1]->replace(12, 4, bytes_of(std::int32_t{1}));
  EXPECT_EQ(complaint_of(views),
            "row 1, column 'x': the text must lie within its Arrow buffer; got 22 bytes at place 1 of buffer 0.");
  views.buffers[1]->replace(8, 4, bytes_of(std::int32_t{2}));
  EXPECT_EQ(complaint_of(views),
            "row 1, column 'x': the text must lie within its Arrow buffer; got 22 bytes at place 1 of buffer 2.");
}

TEST(arrow, text_that_is_no_utf8_is_refused_by_row_and_column) {
  AllReleased all;
  const ArrayTable table =
      table_of({batch_of(made_texts("u", {"a"})), batch_of(made_texts("u", {"b", "\xFF"}))}, all.ledger);
  EXPECT_EQ(complaint([&] { (void)infer_schema(table); }),
            "row 3, column 'x': must be text in UTF-8; got '\\xff'. Convert the table to UTF-8.");
}

}  // namespace
}  // namespace pidforest
