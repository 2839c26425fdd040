// SPDX-License-Identifier: Apache-2.0
// Every type of Arrow, and the column that it becomes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "unit/arrow/arrow_table.h"

namespace pidforest {
namespace {

using std::nullopt;

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

TEST(arrow_type, numbers_of_every_size_are_read) {
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

TEST(arrow_type, nulls_are_numbers_that_are_missing) {
  const MadeArray nulls{.format = "n", .length = 2, .null_count = 2};
  EXPECT_EQ(type_of(nulls), ColumnType::number);
  EXPECT_EQ(shown_column(nulls), (Shown{"numbers nan", "numbers nan"}));
}

TEST(arrow_type, bits_are_booleans) {
  const MadeArray made = made_booleans({true, false, nullopt, true, false, true, true, false, true, false});
  EXPECT_EQ(shown_column(made.sliced(1, 8)), (Shown{"booleans 0", "booleans nan", "booleans 1", "booleans 0",
                                                    "booleans 1", "booleans 1", "booleans 0", "booleans 1"}));
}

TEST(arrow_type, texts_of_every_layout_are_read) {
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

TEST(arrow_type, an_empty_text_is_none_that_is_missing_even_without_any_bytes) {
  MadeArray made = made_texts("u", {"", nullopt});
  made.buffers[2] = nullopt;
  EXPECT_EQ(shown_column(made), (Shown{"''", "no text"}));
}

TEST(arrow_type, times_of_every_unit_are_microseconds) {
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

TEST(arrow_type, a_zone_is_declared) {
  EXPECT_TRUE(declared_of({made_numbers<std::int64_t>("tsu:", {1})}).empty());
  const auto declared = declared_of({made_numbers<std::int64_t>("tsu:+02:00", {1})});
  ASSERT_EQ(declared.size(), 1U);
  EXPECT_EQ(declared[0].kind, Kind::time);
  EXPECT_EQ(declared[0].zone, "+02:00");
}

TEST(arrow_type, a_time_beyond_64_bits_is_refused_unless_it_is_missing) {
  constexpr std::int64_t late = 1'000'000'000'000'000;
  EXPECT_EQ(complaint_of(made_numbers<std::int64_t>("tss:", {1, late})),
            "row 2, column 'x': must be a time in the years 1 to 9999; got 1000000000000000 seconds since 1970. Check "
            "the unit of the times.");
  EXPECT_EQ(shown_column(made_numbers<std::int64_t>("tss:", {1, nullopt}, late)),
            (Shown{"time 1000000", "time -9223372036854775808"}));
}

TEST(arrow_type, times_of_day_are_hours_around_a_circle) {
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

TEST(arrow_type, durations_are_seconds) {
  for (const auto& [format, value] : std::vector<std::pair<std::string, std::int64_t>>{
           {"tDs", 3}, {"tDm", 3000}, {"tDu", 3'000'000}, {"tDn", 3'000'000'000}})
    EXPECT_EQ(shown_column(made_numbers<std::int64_t>(format, {value, nullopt})), (Shown{"numbers 3", "numbers nan"}));
  EXPECT_EQ(declared_of({made_numbers<std::int64_t>("tDs", {3})})[0].unit, "s");
}

/// The bytes of an integer that does not fit into 64 bits.
template <std::size_t n_bytes>
using Wide = std::array<char, n_bytes>;

/// low + high * 2^64, sign-extended.
template <std::size_t n_bytes>
Wide<n_bytes> wide(std::int64_t low, std::int64_t high) {
  Wide<n_bytes> bytes;
  bytes.fill(high < 0 ? '\xFF' : '\0');
  std::memcpy(bytes.data(), &low, 8);
  std::memcpy(bytes.data() + 8, &high, 8);
  return bytes;
}

TEST(arrow_type, decimals_of_every_size_are_read) {
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
            "row 1, column 'x': must be in the range of a double, 5e-324 to 1.8e308 in magnitude; got 000000005e400.");
}

RC_GTEST_PROP(arrow_type, decimals_are_the_doubles_that_their_texts_are, ()) {
  const auto value = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 63);
  const int scale = *rc::gen::inRange(0, 40);
  const std::string text = fmt::format("{}e-{}", value, scale);
  double expected = 0;
  std::from_chars(text.data(), text.data() + text.size(), expected);
  const MadeArray made =
      made_numbers(fmt::format("d:38,{}", scale), Optionals<Wide<16>>{wide<16>(value, value < 0 ? -1 : 0)});
  RC_ASSERT(shown_column(made) == Shown{fmt::format("numbers {}", expected)});
}

TEST(arrow_type, codes_of_any_integers_are_looked_up) {
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

TEST(arrow_type, levels_may_be_of_any_type_and_sliced) {
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

TEST(arrow_type, levels_may_differ_between_batches) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {0, 1});
  EXPECT_EQ(shown_column({with_levels(codes, made_texts("u", {"a", "b"})),
                          with_levels(codes, made_texts("u", {"b", "c", "d"})),
                          with_levels(made_numbers<std::int8_t>("c", {}), made_texts("u", {})),
                          with_levels(made_numbers<std::int8_t>("c", {nullopt}), made_texts("u", {}))}),
            (Shown{"'a'", "'b'", "'b'", "'c'", "no text"}));
}

TEST(arrow_type, a_code_beyond_its_levels_is_refused) {
  const MadeArray levels = made_texts("u", {"a", "b"});
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::int8_t>("c", {0, 2}), levels)),
            "row 2, column 'x': must be the code of one of 2 levels, counted from 0; got 2.");
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::int8_t>("c", {-1}), levels)),
            "row 1, column 'x': must be the code of one of 2 levels, counted from 0; got -1.");
  EXPECT_EQ(complaint_of(with_levels(made_numbers<std::uint64_t>("L", {~std::uint64_t{0}}), levels)),
            "row 1, column 'x': must be the code of one of 2 levels, counted from 0; got 9223372036854775807.");
}

TEST(arrow_type, codes_are_categories_without_levels_or_ordinal_with_them) {
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

TEST(arrow_type, an_order_must_be_the_same_in_all_batches) {
  const MadeArray codes = made_numbers<std::int8_t>("c", {0});
  const MadeArray none = with_levels(made_numbers<std::int8_t>("c", {}), made_texts("u", {}), true);
  const auto levels = [&](const Optionals<std::string>& texts) {
    return with_levels(codes, made_texts("u", texts), true);
  };
  EXPECT_EQ(declared_of({none, levels({"a", "b"}), levels({"a", "b"}), none})[0].levels.size(), 2U);
  EXPECT_EQ(complaint_of({levels({"a", "b"}), levels({"b", "a"})}),
            "column 'x': the order of its levels must be the same in all batches; got 'a', 'b' and 'b', 'a'.");
}

}  // namespace
}  // namespace pidforest
