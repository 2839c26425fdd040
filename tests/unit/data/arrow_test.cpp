// SPDX-License-Identifier: Apache-2.0
#include "pidforest/arrow.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <limits>

#include "complaint.h"
#include "made_arrow.h"
#include "owned_table.h"
#include "pidforest/array_table.h"
#include "shown_rows.h"

namespace pidforest {
namespace {

using Shown = std::vector<std::string>;
using std::nullopt;

/// What was given is all released when this ends.
struct AllReleased {
  Ledger ledger = {};

  AllReleased() = default;
  AllReleased(const AllReleased&) = delete;
  AllReleased& operator=(const AllReleased&) = delete;
  ~AllReleased() { EXPECT_EQ(ledger.n_given, ledger.n_released); }
};

ArrayTable table_of(const std::vector<MadeArray>& batches, Ledger& ledger) {
  ArrowArrayStream stream = give_stream({.schema = batches.front(), .arrays = batches}, ledger);
  ArrayTable table = ArrayTable::from_arrow(&stream);
  EXPECT_EQ(stream.release, nullptr);
  return table;
}

std::int64_t n_rows_of(const MadeArray& column) { return column.length; }

MadeArray batch_of(const MadeArray& column) { return made_batch(n_rows_of(column), {column.named("x")}); }

/// The rows of one column without their numbers and its name.
Shown shown_column(const std::vector<MadeArray>& pieces) {
  AllReleased all;
  std::vector<MadeArray> batches;
  for (const MadeArray& piece : pieces) batches.push_back(batch_of(piece));
  Shown rows = shown(table_of(batches, all.ledger));
  for (std::string& row : rows) row = row.substr(row.find(": ") + 2);
  return rows;
}

Shown shown_column(const MadeArray& column) { return shown_column(std::vector<MadeArray>{column}); }

ColumnType type_of(const MadeArray& column) {
  AllReleased all;
  return table_of({batch_of(column)}, all.ledger).columns().columns().front().type;
}

std::vector<ColumnSchema> declared_of(const std::vector<MadeArray>& pieces) {
  AllReleased all;
  std::vector<MadeArray> batches;
  for (const MadeArray& piece : pieces) batches.push_back(batch_of(piece));
  return table_of(batches, all.ledger).declared().columns;
}

/// Of making a table of a column, or of reading it.
std::string complaint_of(const std::vector<MadeArray>& pieces) {
  return complaint([&] { (void)shown_column(pieces); });
}
std::string complaint_of(const MadeArray& column) { return complaint_of(std::vector<MadeArray>{column}); }

template <class Value>
void expect_numbers(const std::string& format) {
  constexpr Value most = std::numeric_limits<Value>::max();
  constexpr Value least = std::numeric_limits<Value>::lowest();
  const MadeArray made = made_numbers<Value>(format, {Value{1}, nullopt, most, least}, Value{77});
  EXPECT_EQ(type_of(made), ColumnType::number);
  EXPECT_EQ(shown_column(made), (Shown{"numbers 1", "numbers nan", fmt::format("numbers {}", static_cast<double>(most)),
                                       fmt::format("numbers {}", static_cast<double>(least))}))
      << format;
}

TEST(arrow, numbers_of_every_size_are_read) {
  expect_numbers<std::int8_t>("c");
  expect_numbers<std::uint8_t>("C");
  expect_numbers<std::int16_t>("s");
  expect_numbers<std::uint16_t>("S");
  expect_numbers<std::int32_t>("i");
  expect_numbers<std::uint32_t>("I");
  expect_numbers<std::int64_t>("l");
  expect_numbers<std::uint64_t>("L");
  expect_numbers<float>("f");
  expect_numbers<double>("g");
  EXPECT_EQ(shown_column(made_numbers<std::uint16_t>("e", {0x3C00, nullopt, 0xC000})),
            (Shown{"numbers 1", "numbers nan", "numbers -2"}));
}

TEST(arrow, nulls_are_numbers_that_are_missing) {
  const MadeArray nulls{.format = "n", .length = 2, .null_count = 2};
  EXPECT_EQ(type_of(nulls), ColumnType::number);
  EXPECT_EQ(shown_column(nulls), (Shown{"numbers nan", "numbers nan"}));
}

TEST(arrow, bits_are_booleans) {
  const MadeArray made = made_booleans({true, false, nullopt, true, false, true, true, false, true, false});
  EXPECT_EQ(shown_column(made.sliced(1, 8)), (Shown{"booleans 0", "booleans nan", "booleans 1", "booleans 0",
                                                    "booleans 1", "booleans 1", "booleans 0", "booleans 1"}));
}

TEST(arrow, texts_of_every_layout_are_read) {
  const Optionals<std::string> texts{
      "", "a", nullopt, "twelve bytes", "more than twelve bytes", "even more than that", "\u00e9"};
  const Shown expected{
      "''", "'a'", "no text", "'twelve bytes'", "'more than twelve bytes'", "'even more than that'", "'\u00e9'"};
  for (const std::string format : {"u", "U", "vu"}) {
    const MadeArray made = made_texts(format, texts);
    EXPECT_EQ(type_of(made), ColumnType::text);
    EXPECT_EQ(shown_column(made), expected) << format;
    EXPECT_EQ(shown_column(made.sliced(2, 3)), Shown(expected.begin() + 2, expected.begin() + 5)) << format;
  }
}

TEST(arrow, an_empty_text_is_none_that_is_missing_even_without_any_bytes) {
  MadeArray made = made_texts("u", {"", nullopt});
  made.buffers[2] = nullopt;
  EXPECT_EQ(shown_column(made), (Shown{"''", "no text"}));
}

TEST(arrow, times_of_every_unit_are_microseconds) {
  const auto times = [](const std::string& format) {
    return shown_column(made_numbers<std::int64_t>(format, {-1, nullopt, 2000}, 77));
  };
  EXPECT_EQ(times("tss:"), (Shown{"time -1000000", "time -9223372036854775808", "time 2000000000"}));
  EXPECT_EQ(times("tsm:UTC"), (Shown{"time -1000", "time -9223372036854775808", "time 2000000"}));
  EXPECT_EQ(times("tsu:"), (Shown{"time -1", "time -9223372036854775808", "time 2000"}));
  EXPECT_EQ(times("tsn:"), (Shown{"time -1", "time -9223372036854775808", "time 2"}));
  EXPECT_EQ(times("tdm"), (Shown{"time -1000", "time -9223372036854775808", "time 2000000"}));
  EXPECT_EQ(shown_column(made_numbers<std::int32_t>("tdD", {-1, nullopt, 2})),
            (Shown{"time -86400000000", "time -9223372036854775808", "time 172800000000"}));
}

TEST(arrow, a_zone_is_declared) {
  EXPECT_TRUE(declared_of({made_numbers<std::int64_t>("tsu:", {1})}).empty());
  const auto declared = declared_of({made_numbers<std::int64_t>("tsu:+02:00", {1})});
  ASSERT_EQ(declared.size(), 1U);
  EXPECT_EQ(declared[0].kind, Kind::time);
  EXPECT_EQ(declared[0].zone, "+02:00");
}

TEST(arrow, a_time_beyond_64_bits_is_refused_unless_it_is_missing) {
  constexpr std::int64_t late = 1'000'000'000'000'000;
  EXPECT_EQ(complaint_of(made_numbers<std::int64_t>("tss:", {1, late})),
            "row 2, column 'x': must be a time in the years 1 to 9999; got 1000000000000000 seconds since 1970. Check "
            "the unit of the times.");
  EXPECT_EQ(shown_column(made_numbers<std::int64_t>("tss:", {1, nullopt}, late)),
            (Shown{"time 1000000", "time -9223372036854775808"}));
}

TEST(arrow, times_of_day_are_hours_around_a_circle) {
  EXPECT_EQ(shown_column(made_numbers<std::int32_t>("tts", {5400, nullopt})), (Shown{"numbers 1.5", "numbers nan"}));
  EXPECT_EQ(shown_column(made_numbers<std::int32_t>("ttm", {5'400'000})), (Shown{"numbers 1.5"}));
  EXPECT_EQ(shown_column(made_numbers<std::int64_t>("ttu", {5'400'000'000})), (Shown{"numbers 1.5"}));
  EXPECT_EQ(shown_column(made_numbers<std::int64_t>("ttn", {5'400'000'000'000})), (Shown{"numbers 1.5"}));
  const auto declared = declared_of({made_numbers<std::int32_t>("tts", {1})});
  ASSERT_EQ(declared.size(), 1U);
  EXPECT_EQ(declared[0].kind, Kind::cyclic);
  EXPECT_EQ(declared[0].period, 24);
  EXPECT_EQ(declared[0].unit, "h");
}

TEST(arrow, durations_are_seconds) {
  for (const auto& [format, value] : std::vector<std::pair<std::string, std::int64_t>>{
           {"tDs", 3}, {"tDm", 3000}, {"tDu", 3'000'000}, {"tDn", 3'000'000'000}})
    EXPECT_EQ(shown_column(made_numbers<std::int64_t>(format, {value, nullopt})), (Shown{"numbers 3", "numbers nan"}));
  EXPECT_EQ(declared_of({made_numbers<std::int64_t>("tDs", {3})})[0].unit, "s");
}

/// The bytes of an integer that does not fit into 64 bits.
template <std::size_t n_bytes>
using Wide = std::array<char, n_bytes>;

/// low + high * 2^64, with the sign of high in all bytes above.
template <std::size_t n_bytes>
Wide<n_bytes> wide(std::int64_t low, std::int64_t high) {
  Wide<n_bytes> bytes;
  bytes.fill(high < 0 ? '\xFF' : '\0');
  std::memcpy(bytes.data(), &low, 8);
  std::memcpy(bytes.data() + 8, &high, 8);
  return bytes;
}

TEST(arrow, decimals_of_every_size_are_read) {
  EXPECT_EQ(shown_column(made_numbers<std::int32_t>("d:9,2,32", {-12345, nullopt})),
            (Shown{"numbers -123.45", "numbers nan"}));
  EXPECT_EQ(shown_column(made_numbers<std::int64_t>("d:18,3,64", {100'000'000'000'000'001})),
            (Shown{"numbers 100000000000000"}));
  EXPECT_EQ(shown_column(made_numbers("d:38,2", Optionals<Wide<16>>{wide<16>(-12345, -1), wide<16>(0, 1)})),
            (Shown{"numbers -123.45", "numbers 1.8446744073709552e+17"}));
  EXPECT_EQ(shown_column(made_numbers("d:76,30,256", Optionals<Wide<32>>{wide<32>(-7, -1), wide<32>(0, -1)})),
            (Shown{"numbers -7e-30", "numbers -1.8446744073709553e-11"}));
  EXPECT_EQ(shown_column(made_numbers<std::int32_t>("d:9,-2,32", {5})), (Shown{"numbers 500"}));
  EXPECT_EQ(complaint_of(made_numbers<std::int32_t>("d:9,-400,32", {5})),
            "row 1, column 'x': must be in the range of a double, 5e-324 to 1.8e308 in size; got 000000005e400.");
}

RC_GTEST_PROP(arrow, decimals_are_the_doubles_that_their_texts_are, ()) {
  const auto value = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 63);
  const int scale = *rc::gen::inRange(0, 40);
  const std::string text = fmt::format("{}e-{}", value, scale);
  double expected = 0;
  std::from_chars(text.data(), text.data() + text.size(), expected);
  const MadeArray made =
      made_numbers(fmt::format("d:38,{}", scale), Optionals<Wide<16>>{wide<16>(value, value < 0 ? -1 : 0)});
  RC_ASSERT(shown_column(made) == Shown{fmt::format("numbers {}", expected)});
}

TEST(arrow, codes_of_any_integers_are_looked_up) {
  const MadeArray levels = made_texts("u", {"pear", "apple", nullopt});
  const Shown expected{"'apple'", "no text", "no text", "'pear'"};
  const auto codes = [&]<class Code>(const std::string& format, Code filler) {
    return with_levels(made_numbers<Code>(format, {Code{1}, nullopt, Code{2}, Code{0}}, filler), levels);
  };
  EXPECT_EQ(shown_column(codes("c", std::int8_t{-5})), expected);
  EXPECT_EQ(shown_column(codes("C", std::uint8_t{200})), expected);
  EXPECT_EQ(shown_column(codes("s", std::int16_t{-5})), expected);
  EXPECT_EQ(shown_column(codes("S", std::uint16_t{200})), expected);
  EXPECT_EQ(shown_column(codes("i", std::int32_t{-5})), expected);
  EXPECT_EQ(shown_column(codes("I", std::uint32_t{200})), expected);
  EXPECT_EQ(shown_column(codes("l", std::int64_t{-5})), expected);
  EXPECT_EQ(shown_column(codes("L", ~std::uint64_t{0})), expected);
  EXPECT_EQ(type_of(codes("c", std::int8_t{0})), ColumnType::text);
}

TEST(arrow, levels_may_be_of_any_type_and_sliced) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {1, 0, nullopt});
  EXPECT_EQ(shown_column(with_levels(codes, made_numbers<double>("g", {7.5, 2.5, 1}).sliced(1, 2))),
            (Shown{"numbers 1", "numbers 2.5", "numbers nan"}));
  EXPECT_EQ(shown_column(with_levels(codes, made_booleans({false, true}))),
            (Shown{"booleans 1", "booleans 0", "booleans nan"}));
  EXPECT_EQ(shown_column(with_levels(codes, made_texts("vu", {"short", "more than twelve bytes"}))),
            (Shown{"'more than twelve bytes'", "'short'", "no text"}));
  EXPECT_EQ(shown_column(with_levels(codes, made_numbers<std::int64_t>("tss:", {1, 2}))),
            (Shown{"time 2000000", "time 1000000", "time -9223372036854775808"}));
}

TEST(arrow, levels_may_differ_between_batches) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {0, 1});
  EXPECT_EQ(shown_column({with_levels(codes, made_texts("u", {"a", "b"})),
                          with_levels(codes, made_texts("u", {"b", "c", "d"})),
                          with_levels(made_numbers<std::int8_t>("c", {}), made_texts("u", {})),
                          with_levels(made_numbers<std::int8_t>("c", {nullopt}), made_texts("u", {}))}),
            (Shown{"'a'", "'b'", "'b'", "'c'", "no text"}));
}

TEST(arrow, a_code_beyond_its_levels_is_refused) {
  const MadeArray levels = made_texts("u", {"a", "b"});
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::int8_t>("c", {0, 2}), levels)),
            "row 2, column 'x': must be the code of one of 2 levels, counted from 0; got 2.");
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::int8_t>("c", {-1}), levels)),
            "row 1, column 'x': must be the code of one of 2 levels, counted from 0; got -1.");
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::uint64_t>("L", {~std::uint64_t{0}}), levels)),
            "row 1, column 'x': must be the code of one of 2 levels, counted from 0; got 9223372036854775807.");
}

TEST(arrow, codes_are_categories_without_levels_or_ordinal_with_them) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {0, 1});
  const auto category = declared_of({with_levels(codes, made_texts("u", {"b", "a"}))});
  ASSERT_EQ(category.size(), 1U);
  EXPECT_EQ(category[0].kind, Kind::category);
  EXPECT_TRUE(category[0].levels.empty());
  const auto ordinal = declared_of({with_levels(codes, made_texts("u", {"b", nullopt, "a"}), true)});
  EXPECT_EQ(ordinal[0].kind, Kind::ordinal);
  EXPECT_EQ(ordinal[0].levels, (std::vector<std::string>{"b", "a"}));
  const auto numbers = declared_of({with_levels(codes, made_numbers<double>("g", {1.5, 0.5}), true)});
  EXPECT_EQ(numbers[0].levels, (std::vector<std::string>{"1.5", "0.5"}));
  EXPECT_TRUE(numbers[0].numeric_levels);
}

TEST(arrow, an_order_must_be_the_same_in_all_batches) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {0});
  const MadeArray none = with_levels(made_numbers<std::int8_t>("c", {}), made_texts("u", {}), true);
  const auto levels = [&](const Optionals<std::string>& texts) {
    return with_levels(codes, made_texts("u", texts), true);
  };
  EXPECT_EQ(declared_of({none, levels({"a", "b"}), levels({"a", "b"}), none})[0].levels.size(), 2U);
  EXPECT_EQ(complaint_of({levels({"a", "b"}), levels({"b", "a"})}),
            "column 'x': the order of its levels must be the same in all batches; got 'a', 'b' and 'b', 'a'.");
}

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
  batch.buffers[0] = "\x0D";  // the second row is none
  batch.null_count = -1;
  EXPECT_EQ(shown(table_of({batch.sliced(1, 3)}, all.ledger)),
            (Shown{"0 n: numbers nan, 0 t: no text", "1 n: numbers nan, 1 t: 'c'", "2 n: numbers 4, 2 t: 'd'"}));
}

TEST(arrow, doubles_and_microseconds_without_nulls_are_viewed) {
  AllReleased all;
  MadeArray with_bits = made_numbers<double>("g", {nullopt, 2, 3, 4}).sliced(1, 3);  // bits, and all of them are set
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
  ASSERT_EQ(none.columns().n_columns(), 2U);
  EXPECT_EQ(none.columns().columns()[1].type, ColumnType::text);
  std::vector<std::size_t> visits;
  stream = give_stream({.schema = batch}, all.ledger);
  for_each_batch(&stream, [&](const ArrayTable& visited) { visits.push_back(visited.columns().n_columns()); });
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
            "an Arrow stream must be one that was not used before; got one that is released.");
  ArrowSchema schema{};
  ArrowArray array = give_array(batch_of(made_numbers<double>("g", {1})), all.ledger);
  EXPECT_EQ(complaint([&] { (void)ArrayTable::from_arrow(&schema, &array); }),
            "an Arrow schema must be one that was not used before; got one that is released.");
}

TEST(arrow, types_that_are_no_columns_are_named_in_words) {
  const auto complaint_of_type = [](const std::string& format) { return complaint_of(MadeArray{.format = format}); };
  EXPECT_EQ(complaint_of_type("+l"),
            "column 'x' must hold numbers, booleans, texts, times or durations; got a list. Leave it out, or make a "
            "column of those from it.");
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
  EXPECT_EQ(complaint_of_second(bad),
            "column 'x': its Arrow array must have 3 values, as its record batch has; got 2.");
  bad = good;
  bad.children.clear();
  EXPECT_EQ(complaint_of_second(bad), "a record batch must have the 1 columns of its schema; got 0.");
  const MadeArray codes = with_levels(made_numbers<std::int8_t>("c", {0}), made_texts("u", {"a"}));
  const MadeArray first = batch_of(codes);
  bad = batch_of(made_numbers<std::int8_t>("c", {0}));
  EXPECT_EQ(complaint([&] { (void)table_of({first, bad}, all.ledger); }),
            "column 'x': an Arrow array of codes must have a dictionary of levels; got none.");
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
