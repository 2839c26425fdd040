// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "arrow/array_elements.h"
#include "pidforest/arrow.h"
#include "pidforest/model.h"
#include "pidforest/table.h"
#include "unit/table/column_table.h"
#include "unit/table/complaint.h"
#include "unit/table/shown_rows.h"

namespace pidforest {
namespace {

constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();

template <class T>
ArrayView array_of(const std::vector<T>& values, const std::uint8_t* missing = nullptr) {
  return {.first = values.data(), .stride = sizeof(T), .missing = missing};
}

/// Returns the values of a table's only column.
Numbers numbers_of(const ArrayTable& table) {
  Numbers numbers;
  table.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) numbers.push_back(batch.columns().front().number(i));
  });
  return numbers;
}

Times times_of(const ArrayTable& table) {
  Times times;
  table.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) times.push_back(batch.columns().front().time(i));
  });
  return times;
}

template <class T>
void expect_ends(ElementType element) {
  const std::vector<T> values{std::numeric_limits<T>::lowest(), T{0}, T{1}, std::numeric_limits<T>::max()};
  ArrayTable table(values.size());
  table.add_numbers("x", element, array_of(values));
  EXPECT_EQ(numbers_of(table), Numbers(values.begin(), values.end()));
  EXPECT_EQ(table.header().columns().front().type, ColumnType::number);
}

TEST(array_table, numbers_of_every_size_are_read) {
  expect_ends<std::int8_t>(ElementType::int8);
  expect_ends<std::int16_t>(ElementType::int16);
  expect_ends<std::int32_t>(ElementType::int32);
  expect_ends<std::int64_t>(ElementType::int64);
  expect_ends<std::uint8_t>(ElementType::uint8);
  expect_ends<std::uint16_t>(ElementType::uint16);
  expect_ends<std::uint32_t>(ElementType::uint32);
  expect_ends<std::uint64_t>(ElementType::uint64);
  expect_ends<float>(ElementType::float32);
  expect_ends<double>(ElementType::float64);
}

TEST(array_table, halves_are_read_exactly) {
  const std::vector<std::uint16_t> bits{0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0x8000, 0x7C00, 0xFC00, 0x3555};
  ArrayTable table(bits.size());
  table.add_numbers("x", ElementType::float16, array_of(bits));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(numbers_of(table),
            (Numbers{1, -2, 65504, std::ldexp(1, -24), std::ldexp(1, -14), -0.0, infinity, -infinity, 1365 / 4096.0}));
  EXPECT_TRUE(std::isnan(arrow::half_value(0x7E00)));
}

TEST(array_table, bytes_are_booleans) {
  const std::vector<std::uint8_t> bytes{0, 1, 2};
  ArrayTable table(3);
  table.add_numbers("x", ElementType::boolean, array_of(bytes));
  EXPECT_EQ(table.header().columns().front().type, ColumnType::boolean);
  EXPECT_EQ(numbers_of(table), (Numbers{0, 1, 1}));
}

TEST(array_table, a_mask_makes_values_missing) {
  const std::vector<double> values{1, 2, 3};
  const std::vector<std::uint8_t> mask{0, 7, 0};
  ArrayTable table(3);
  table.add_numbers("x", ElementType::float64, array_of(values, mask.data()));
  const Numbers numbers = numbers_of(table);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_TRUE(std::isnan(numbers[1]));
  EXPECT_EQ(numbers[2], 3);
  EXPECT_EQ(table.in_memory(), nullptr);
}

TEST(array_table, doubles_with_whole_steps_are_viewed_in_every_direction) {
  const std::vector<double> values{0, 1, 2, 3, 4, 5};
  ArrayTable table(3);
  table.add_numbers("forth", ElementType::float64, {.first = values.data() + 1, .stride = 2 * sizeof(double)});
  table.add_numbers("back", ElementType::float64, {.first = values.data() + 5, .stride = -8});
  table.add_numbers("same", ElementType::float64, {.first = values.data() + 4, .stride = 0});
  const Table* whole = table.in_memory();
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->n_rows(), 3U);
  EXPECT_EQ(whole->columns()[0].first, values.data() + 1);
  EXPECT_EQ(shown(*whole), (std::vector<std::string>{
                               "0 forth: numbers 1, 0 back: numbers 5, 0 same: numbers 4",
                               "1 forth: numbers 3, 1 back: numbers 4, 1 same: numbers 4",
                               "2 forth: numbers 5, 2 back: numbers 3, 2 same: numbers 4",
                           }));
  EXPECT_EQ(shown(table), shown(*whole));
}

TEST(array_table, doubles_that_are_not_aligned_are_copied) {
  std::vector<char> bytes(3 * 9 + 1);
  for (std::ptrdiff_t i = 0; i < 3; ++i) {
    const double value = static_cast<double>(i) + 0.5;
    std::memcpy(bytes.data() + 1 + i * 9, &value, sizeof(value));
  }
  ArrayTable table(3);
  table.add_numbers("x", ElementType::float64, {.first = bytes.data() + 1, .stride = 9});
  EXPECT_EQ(table.in_memory(), nullptr);
  EXPECT_EQ(numbers_of(table), (Numbers{0.5, 1.5, 2.5}));
}

TEST(array_table, a_column_that_is_added_later_is_in_memory_too) {
  const std::vector<double> values{1, 2};
  ArrayTable table(2);
  table.add_numbers("a", ElementType::float64, array_of(values));
  ASSERT_NE(table.in_memory(), nullptr);
  table.add_texts("b", {"x", std::string_view()});
  ASSERT_NE(table.in_memory(), nullptr);
  EXPECT_EQ(shown(*table.in_memory()),
            (std::vector<std::string>{"0 a: numbers 1, 0 b: 'x'", "1 a: numbers 2, 1 b: no text"}));
  const std::vector<std::int8_t> bytes{1, 2};
  table.add_numbers("c", ElementType::int8, array_of(bytes));
  EXPECT_EQ(table.in_memory(), nullptr);
}

TEST(array_table, a_batch_has_65536_rows_at_most_and_rows_keep_their_numbers) {
  std::vector<std::int32_t> values(200'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  ArrayTable table(values.size());
  table.add_numbers("x", ElementType::int32, array_of(values));
  std::vector<std::size_t> sizes;
  std::size_t n_wrong = 0;
  table.for_each([&](const Table& batch) {
    sizes.push_back(batch.n_rows());
    const Column& column = batch.columns().front();
    for (std::size_t i = 0; i < batch.n_rows(); ++i)
      n_wrong += column.number(i) == static_cast<double>(column.first_row + i) ? 0 : 1;
  });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{65536, 65536, 65536, 3392}));
  EXPECT_EQ(n_wrong, 0U);
  EXPECT_EQ(shown_parts(table, 0), shown(table));
}

TEST(array_table, times_of_every_unit_are_microseconds) {
  const std::vector<std::int64_t> values{-1, 0, 2, not_a_time};
  const auto times = [&](TimeUnit unit) {
    ArrayTable table(values.size());
    table.add_times("x", unit, array_of(values));
    return times_of(table);
  };
  const auto each = [](std::int64_t n) { return Times{-n, 0, 2 * n, Column::missing_time}; };
  EXPECT_EQ(times(TimeUnit::days), each(86'400'000'000));
  EXPECT_EQ(times(TimeUnit::hours), each(3'600'000'000));
  EXPECT_EQ(times(TimeUnit::minutes), each(60'000'000));
  EXPECT_EQ(times(TimeUnit::seconds), each(1'000'000));
  EXPECT_EQ(times(TimeUnit::milliseconds), each(1000));
  EXPECT_EQ(times(TimeUnit::microseconds), each(1));
}

TEST(array_table, nanoseconds_are_rounded_down) {
  const std::vector<std::int64_t> values{1999, 1000, -1, -1000, -1001, not_a_time};
  ArrayTable table(values.size());
  table.add_times("x", TimeUnit::nanoseconds, array_of(values));
  EXPECT_EQ(times_of(table), (Times{1, 1, -1, -1, -2, Column::missing_time}));
}

TEST(array_table, microseconds_are_viewed) {
  const std::vector<std::int64_t> values{5, not_a_time};
  ArrayTable table(2);
  table.add_times("x", TimeUnit::microseconds, array_of(values));
  ASSERT_NE(table.in_memory(), nullptr);
  EXPECT_EQ(table.in_memory()->columns().front().times, values.data());
}

TEST(array_table, a_time_beyond_64_bits_is_refused_by_row_and_column) {
  const std::vector<std::int64_t> values{0, 9'223'372'036'854, 9'223'372'036'855};
  ArrayTable table(3);
  table.add_times("when", TimeUnit::seconds, array_of(values));
  EXPECT_EQ(complaint_of(table),
            "row 3, column 'when': must be a time in the years 1 to 9999; got 9223372036855 seconds since 1970. Check "
            "the unit of the times.");
  const std::vector<std::uint8_t> mask{0, 0, 1};
  ArrayTable masked(3);
  masked.add_times("when", TimeUnit::seconds, array_of(values, mask.data()));
  EXPECT_EQ(times_of(masked), (Times{0, 9'223'372'036'854'000'000, Column::missing_time}));
}

TEST(array_table, a_zone_is_declared_and_times_without_one_are_local) {
  const std::vector<std::int64_t> values{5};
  ArrayTable table(1);
  table.add_times("somewhere", TimeUnit::seconds, array_of(values));
  table.add_times("here", TimeUnit::seconds, array_of(values), "Europe/Berlin");
  ASSERT_EQ(table.declared().columns.size(), 1U);
  const ColumnSchema here = table.declared().columns.front();
  EXPECT_EQ(here.name, "here");
  EXPECT_EQ(here.kind, Kind::time);
  EXPECT_EQ(here.zone, "Europe/Berlin");
  // The schema implied by clock types survives a copy, in memory and in a file.
  for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 20}) {
    TableStore store({.memory = memory});
    table.for_each([&](const Table& batch) { store.append(batch); });
    store.for_each([&](const Table& batch) {
      EXPECT_TRUE(batch.columns()[0].are_local);
      EXPECT_FALSE(batch.columns()[1].are_local);
    });
  }
}

TEST(array_table, durations_are_seconds) {
  const std::vector<std::int64_t> values{-3, 1, not_a_time};
  const auto seconds = [&](TimeUnit unit) {
    ArrayTable table(values.size());
    table.add_durations("x", unit, array_of(values));
    const Numbers numbers = numbers_of(table);
    EXPECT_TRUE(std::isnan(numbers[2]));
    return Numbers{numbers[0], numbers[1]};
  };
  EXPECT_EQ(seconds(TimeUnit::days), (Numbers{-259'200, 86'400}));
  EXPECT_EQ(seconds(TimeUnit::hours), (Numbers{-10'800, 3600}));
  EXPECT_EQ(seconds(TimeUnit::minutes), (Numbers{-180, 60}));
  EXPECT_EQ(seconds(TimeUnit::seconds), (Numbers{-3, 1}));
  EXPECT_EQ(seconds(TimeUnit::milliseconds), (Numbers{-0.003, 0.001}));
  EXPECT_EQ(seconds(TimeUnit::microseconds), (Numbers{-3e-6, 1e-6}));
  EXPECT_EQ(seconds(TimeUnit::nanoseconds), (Numbers{-3e-9, 1e-9}));
  ArrayTable table(1);
  table.add_durations("x", TimeUnit::days, array_of(values));
  EXPECT_EQ(table.declared().columns.front().kind, Kind::continuous);
  EXPECT_EQ(table.declared().columns.front().unit, "s");
}

TEST(array_table, codes_are_levels_and_negative_ones_missing) {
  const std::vector<std::int8_t> codes{1, 0, -1, 1};
  ArrayTable table(4);
  table.add_codes("fruit", ElementType::int8, array_of(codes), std::vector<std::string>{"pear", "apple"}, false);
  table.add_codes("rank", ElementType::int8, array_of(codes), Numbers{2.5, 7}, true);
  EXPECT_EQ(shown(table), (std::vector<std::string>{
                              "0 fruit: 'apple', 0 rank: numbers 7",
                              "1 fruit: 'pear', 1 rank: numbers 2.5",
                              "2 fruit: no text, 2 rank: numbers nan",
                              "3 fruit: 'apple', 3 rank: numbers 7",
                          }));
  const Schema declared = table.declared();
  ASSERT_EQ(declared.columns.size(), 2U);
  EXPECT_EQ(declared.columns[0].kind, Kind::category);
  EXPECT_TRUE(declared.columns[0].levels.empty());
  EXPECT_EQ(declared.columns[1].kind, Kind::ordinal);
  EXPECT_EQ(declared.columns[1].levels, (std::vector<std::string>{"2.5", "7"}));
  EXPECT_TRUE(declared.columns[1].numeric_levels);
}

TEST(array_table, a_code_beyond_the_levels_is_refused_by_row_and_column) {
  const std::vector<std::uint16_t> codes{1, 2};
  ArrayTable table(2);
  table.add_codes("fruit", ElementType::uint16, array_of(codes), std::vector<std::string>{"pear", "apple"}, false);
  EXPECT_EQ(complaint_of(table), "row 2, column 'fruit': must be the code of one of 2 levels, counted from 0; got 2.");
  EXPECT_EQ(complaint([&] { table.add_codes("x", ElementType::float32, array_of(codes), Numbers{1}, false); }),
            "column 'x': codes of levels must be integers.");
}

TEST(array_table, names_and_numbers_of_rows_are_checked) {
  const std::vector<double> values{1, 2};
  ArrayTable table(2);
  table.add_numbers("a", ElementType::float64, array_of(values));
  EXPECT_EQ(complaint([&] { table.add_numbers("a", ElementType::float64, array_of(values)); }),
            "two columns are named 'a'; names must differ.");
  EXPECT_EQ(complaint([&] { table.add_numbers("", ElementType::float64, array_of(values)); }), "column 2 has no name.");
  EXPECT_EQ(complaint([&] { table.add_texts("b", {"x"}); }), "column 'b' must have 2 values, one per row; got 1.");
  EXPECT_EQ(table.header().n_columns(), 1U);
}

TEST(array_table, a_table_without_rows_has_columns) {
  ArrayTable table(0);
  table.add_numbers("a", ElementType::float64, {});
  table.add_texts("b", {});
  EXPECT_EQ(table.n_rows(), 0U);
  EXPECT_EQ(table.header().n_columns(), 2U);
  EXPECT_EQ(table.header().columns()[1].type, ColumnType::text);
  EXPECT_EQ(table.in_memory(), nullptr);
  EXPECT_TRUE(shown(table).empty());
}

TEST(array_table, what_is_declared_is_not_inferred) {
  const std::vector<std::int8_t> codes{0, 1, 0};
  const std::vector<double> values{1, 2, 3};
  ArrayTable table(3);
  table.add_numbers("a", ElementType::float64, array_of(values));
  table.add_codes("zip", ElementType::int8, array_of(codes), std::vector<std::string>{"01067", "20095"}, false);
  table.add_texts("c", {"x", "y", "x"});
  const Schema schema = infer_schema(table, table.declared());
  ASSERT_EQ(schema.columns.size(), 3U);
  EXPECT_EQ(schema.columns[0].kind, Kind::continuous);
  EXPECT_EQ(schema.columns[1], table.declared().columns[0]);
  EXPECT_EQ(schema.columns[2].levels, (std::vector<std::string>{"x", "y"}));
}

TEST(array_table, what_is_declared_ignored_stays_so_and_what_is_lacking_is_refused) {
  const std::vector<double> values{1, 2};
  ArrayTable table(2);
  table.add_numbers("a", ElementType::float64, array_of(values));
  EXPECT_EQ(infer_schema(table, {{column_of(Kind::ignored, "a")}}).columns[0].kind, Kind::ignored);
  EXPECT_EQ(complaint([&] { (void)infer_schema(table, {{column_of(Kind::continuous, "b")}}); }),
            "the table has no column 'b', which the schema names.");
}

TEST(array_table, what_is_declared_and_what_is_inferred_make_a_schema_that_fits_together) {
  constexpr std::size_t n = 200;
  std::vector<std::int8_t> codes;
  std::vector<std::int64_t> times;
  std::vector<float> numbers;
  for (std::size_t i = 0; i < n; ++i) {
    codes.push_back(static_cast<std::int8_t>(i % 7 == 0 ? -1 : i % 3));
    times.push_back(static_cast<std::int64_t>(i * 5000));
    numbers.push_back(static_cast<float>(i % 17));
  }
  const std::vector<std::int64_t> same(n, 1'700'000'000);
  const std::vector<std::int64_t> no_times(n, not_a_time);
  const std::vector<std::int8_t> no_codes(n, -1);
  const std::vector<std::string> levels{"low", "mid", "high"};
  ArrayTable table(n);
  table.add_numbers("number", ElementType::float32, array_of(numbers));
  table.add_codes("category", ElementType::int8, array_of(codes), levels, false);
  table.add_codes("ordinal", ElementType::int8, array_of(codes), levels, true);
  table.add_codes("rank", ElementType::int8, array_of(codes), Numbers{1, 2, 5}, true);
  table.add_codes("zip", ElementType::int8, array_of(codes), Numbers{1067, 20095, 80331}, false);
  table.add_times("time", TimeUnit::seconds, array_of(times), "Europe/Berlin");
  table.add_durations("duration", TimeUnit::milliseconds, array_of(times));
  table.add_times("same_time", TimeUnit::seconds, array_of(same), "UTC");
  table.add_times("no_time", TimeUnit::seconds, array_of(no_times), "UTC");
  table.add_durations("no_duration", TimeUnit::seconds, array_of(no_times));
  table.add_codes("no_category", ElementType::int8, array_of(no_codes), levels, false);
  table.add_codes("no_ordinal", ElementType::int8, array_of(no_codes), levels, true);
  table.add_codes("no_levels", ElementType::int8, array_of(no_codes), Numbers{}, false);
  Options options;
  options.n_estimators = 5;
  const Model model = Model::fit(table, infer_schema(table, table.declared()), options);
  const auto column = [&](std::string_view name) {
    return *std::ranges::find(model.schema().columns, name, &ColumnSchema::name);
  };
  EXPECT_EQ(column("category").levels, (std::vector<std::string>{"high", "low", "mid"}));
  EXPECT_EQ(column("ordinal").levels, levels);
  EXPECT_EQ(column("rank").levels, (std::vector<std::string>{"1", "2", "5"}));
  EXPECT_EQ(column("zip").levels, (std::vector<std::string>{"1067", "20095", "80331"}));
  EXPECT_TRUE(column("zip").numeric_levels);
  EXPECT_EQ(column("time").zone, "Europe/Berlin");
  EXPECT_FALSE(column("time").derive.empty());
  EXPECT_TRUE(Model::from_bytes(model.to_bytes()) == model);
}

}  // namespace
}  // namespace pidforest
