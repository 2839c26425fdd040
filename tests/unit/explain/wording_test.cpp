// SPDX-License-Identifier: Apache-2.0
#include "explain/wording.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/schema/encoding.h"

namespace pidforest {
namespace {

using geometry::AxisKind;
using geometry::Part;
using schema::circle;
using schema::hierarchy;
using schema::inf;
using schema::ordinal;
using schema::time_of;
using Shape = Condition::Shape;

/// Returns the condition for a part of the only axis of a column.
Condition condition_on(const ColumnSchema& schema, const Part& part) {
  const schema::Encoder encoder(Schema{{schema}});
  const std::vector<std::size_t> order{0};
  const auto n = static_cast<double>(encoder.axes()[0].n_cells);
  const std::vector<geometry::Interval> root{{.low = 0, .high = n > 0 ? n : 100}};
  return explain::condition_of(part, {encoder, order, root});
}
std::string words_of(const ColumnSchema& schema, const Part& part) {
  return to_words(condition_on(schema, part), Schema{{schema}});
}

Part arc(double low, double high) { return {.kind = AxisKind::cyclic, .low = low, .high = high}; }
Part codes(std::vector<geometry::CodeRange> levels) {
  return {.kind = AxisKind::category, .levels = std::move(levels)};
}

TEST(wording, ranges_of_numbers_say_which_end_is_inside) {
  ColumnSchema schema = column_of(Kind::continuous, "amount");
  schema.unit = "euro";
  EXPECT_EQ(words_of(schema, {.low = 9000}), "amount >= 9000 euro");
  EXPECT_EQ(words_of(schema, {.high = -2.5}), "amount < -2.5 euro");
  EXPECT_EQ(words_of(schema, {.low = 0.1, .high = 12345.6789}), "0.1 <= amount < 12,345.7 euro");
  EXPECT_EQ(words_of(schema, {.low = 1234567, .high = 1e20}), "1,234,570 <= amount < 1e+20 euro");
  EXPECT_EQ(words_of(schema, {}), "amount is not missing");
  EXPECT_EQ(words_of(schema, {.is_missing = true}), "amount is missing");
}

TEST(wording, ends_have_the_digits_that_tell_them_apart) {
  const ColumnSchema schema = column_of(Kind::continuous);
  EXPECT_EQ(words_of(schema, {.low = 5.0000001, .high = 5.0000002}), "5.0000001 <= x < 5.0000002");
}

TEST(wording, what_begins_with_the_next_double_is_above) {
  const ColumnSchema schema = column_of(Kind::continuous);
  const double above_5 = std::nextafter(5, 6);
  EXPECT_EQ(words_of(schema, {.low = above_5}), "x > 5");
  EXPECT_EQ(words_of(schema, {.high = above_5}), "x <= 5");
  EXPECT_EQ(words_of(schema, {.low = 0.1, .high = above_5}), "0.1 <= x <= 5");
  EXPECT_EQ(words_of(schema, {.low = 5, .high = above_5}), "x = 5");
}

TEST(wording, bounds_of_conditions_are_exact) {
  const double low = std::nextafter(5, 6);
  const Condition condition = condition_on(column_of(Kind::continuous), {.low = low, .high = 7});
  EXPECT_EQ(condition,
            (Condition{.column = "x", .shape = Shape::range, .low = low, .high = 7, .share = (7 - low) / 100}));
}

TEST(wording, whole_numbers_end_with_the_last_that_is_inside) {
  const ColumnSchema schema = ordinal(1, 5);
  EXPECT_EQ(words_of(schema, {.low = 2, .high = 3}), "x = 3");
  EXPECT_EQ(words_of(schema, {.low = 2, .high = 5}), "x 3 to 5");
  EXPECT_EQ(words_of(schema, {.low = 2}), "x >= 3");
  EXPECT_EQ(words_of(schema, {.high = 2}), "x <= 2");
  EXPECT_EQ(words_of(ordinal(0, 1e9), {.low = 1234567, .high = 1234568}), "x = 1,234,567");
}

TEST(wording, whole_numbers_that_encoding_rounds_keep_their_bounds) {
  const double two_to_53 = 9007199254740992;
  const ColumnSchema schema = ordinal(-two_to_53, two_to_53);
  for (const double number : {two_to_53 - 3, two_to_53 - 2, two_to_53 - 1, two_to_53, -5.0, 1e300}) {
    const double encoded = schema::encoded(schema, Numbers{number})[0];
    const double bound = condition_on(schema, {.low = encoded}).low;
    EXPECT_LE(bound, number);
    EXPECT_EQ(schema::encoded(schema, Numbers{bound})[0], encoded);
    EXPECT_LT(schema::encoded(schema, Numbers{bound - 1 < bound ? bound - 1 : std::nextafter(bound, 0)})[0], encoded);
  }
}

TEST(wording, levels_in_order_are_runs) {
  const ColumnSchema schema = with_levels(Kind::ordinal, {"S", "M", "L", "XL"});
  EXPECT_EQ(words_of(schema, {.low = 1, .high = 4}), "x M to XL");
  EXPECT_EQ(words_of(schema, {.low = 2}), "x L to XL");
  EXPECT_EQ(words_of(schema, {.high = 1}), "x = S");
  EXPECT_EQ(words_of(with_levels(Kind::ordinal, {"1", "2.5"}, true), {.low = 1}), "x = 2.5");
  EXPECT_EQ(to_words({.column = "x", .shape = Shape::levels, .levels = {"S", "XL"}}, Schema{{schema}}), "x in {S, XL}");
}

TEST(wording, arcs_may_wrap) {
  ColumnSchema angle = circle(360);
  angle.unit = "degrees";
  EXPECT_EQ(words_of(angle, arc(350, 20)), "x from 350 to 20 degrees");
  EXPECT_EQ(words_of(angle, arc(300, 0)), "x from 300 to 360 degrees");
  EXPECT_EQ(words_of(angle, arc(300, 360)), "x from 300 to 360 degrees");
  EXPECT_EQ(condition_on(angle, arc(300, 360)).high, 0);
  EXPECT_EQ(words_of(angle, arc(20, 20)), "x is not missing");
  const ColumnSchema hours = circle(24, 1);
  EXPECT_EQ(words_of(hours, arc(22, 3)), "x 22 to 2");
  EXPECT_EQ(words_of(hours, arc(22, 0)), "x 22 to 23");
  EXPECT_EQ(words_of(hours, arc(9, 10)), "x = 9");
  EXPECT_EQ(words_of(with_levels(Kind::cyclic, {"spring", "summer", "autumn", "winter"}), arc(3, 1)),
            "x winter to spring");
}

TEST(wording, cells_of_a_circle_have_native_borders) {
  const Condition condition = condition_on(circle(1, 0.1), arc(3, 7));
  EXPECT_EQ(condition.low, 0.3);
  EXPECT_EQ(condition.high, 0.7);
}

TEST(wording, hours_are_read_from_a_clock) {
  using enum Derivation;
  EXPECT_EQ(words_of(time_of({hour_of_day}), arc(2, 5)), "x 02:00-05:00");
  EXPECT_EQ(words_of(time_of({hour_of_day}), arc(22, 0)), "x 22:00-24:00");
  EXPECT_EQ(words_of(time_of({hour_of_day}), arc(22, 5)), "x 22:00-05:00");
  EXPECT_EQ(words_of(time_of({hour_of_day}, Resolution::minute), arc(390, 391)), "x 06:30-06:31");
  EXPECT_EQ(words_of(time_of({hour_of_day}, Resolution::second), arc(23415, 7200)), "x 06:30:15-02:00");
  const ColumnSchema exact = time_of({hour_of_day}, Resolution::microsecond);
  EXPECT_EQ(words_of(exact, arc(1.0 / 7, 2)), "x 00:08:34-02:00");
  EXPECT_EQ(words_of(exact, arc(6.5, 6.50001)), "x 06:30-06:30:00.036");
}

TEST(wording, days_and_months_go_by_name) {
  using enum Derivation;
  EXPECT_EQ(words_of(time_of({day_of_week}), arc(5, 0)), "x Saturday to Sunday");
  EXPECT_EQ(words_of(time_of({day_of_week}), arc(6, 1)), "x Sunday to Monday");
  EXPECT_EQ(words_of(time_of({day_of_week}), arc(2, 3)), "x on Wednesday");
  EXPECT_EQ(words_of(time_of({month}), arc(10, 3)), "x November to March");
  EXPECT_EQ(words_of(time_of({month}), arc(11, 12)), "x in December");
  EXPECT_EQ(words_of(time_of({day_of_year}), arc(11, 40)), "x 12 January to 9 February");
  EXPECT_EQ(words_of(time_of({day_of_year}), arc(59, 60)), "x on 29 February");
  EXPECT_EQ(words_of(time_of({day_of_year}), arc(358, 0)), "x 24 December to 31 December");
}

TEST(wording, epochs_are_times_in_the_zone) {
  ColumnSchema schema = time_of({Derivation::epoch});
  schema.zone = "Europe/Berlin";
  EXPECT_EQ(words_of(schema, {.low = 1794817800}), "x >= 2026-11-16 09:30 (Europe/Berlin)");
  EXPECT_EQ(words_of(schema, {.low = 0, .high = 1.5}), "1970-01-01 01:00 <= x < 1970-01-01 01:00:01 (Europe/Berlin)");
  EXPECT_EQ(words_of(schema, {.low = 0, .high = 0.25}),
            "1970-01-01 01:00 <= x < 1970-01-01 01:00:00.25 (Europe/Berlin)");
}

TEST(wording, bounds_between_two_microseconds_are_the_later_one) {
  const ColumnSchema schema = time_of({Derivation::epoch});
  EXPECT_EQ(condition_on(schema, {.low = 12.3456781}).low, 12.345679);
  EXPECT_EQ(condition_on(schema, {.low = 12.345678}).low, 12.345678);
}

TEST(wording, booleans_are_true_or_false) {
  const ColumnSchema schema = column_of(Kind::boolean, "urgent");
  EXPECT_EQ(words_of(schema, codes({{1, 2}})), "urgent = true");
  EXPECT_EQ(words_of(schema, codes({{1, 3}})), "urgent = true");
  EXPECT_EQ(words_of(schema, codes({{0, 1}})), "urgent = false");
  EXPECT_EQ(words_of(schema, codes({{0, 2}})), "urgent is not missing");
}

TEST(wording, categories_are_sets_or_all_but_a_set) {
  const ColumnSchema schema = with_levels(Kind::category, {"AR", "BR", "DE", "FR", "GB", "US"});
  EXPECT_EQ(words_of(schema, codes({{1, 2}})), "x = BR");
  EXPECT_EQ(words_of(schema, codes({{0, 2}})), "x in {AR, BR}");
  EXPECT_EQ(words_of(schema, codes({{0, 2}, {4, 7}})), "x is not in {DE, FR}");
  EXPECT_EQ(words_of(schema, codes({{0, 2}, {3, 7}})), "x is not DE");
  EXPECT_EQ(words_of(schema, codes({{0, 2}, {4, 6}})), "x is a known level and not in {DE, FR}");
  EXPECT_EQ(words_of(schema, codes({{0, 1}, {6, 7}})), "x = AR or an unseen level");
  EXPECT_EQ(words_of(schema, codes({{6, 7}})), "x is an unseen level");
  EXPECT_EQ(words_of(schema, codes({{0, 6}})), "x is a known level");
  EXPECT_EQ(words_of(schema, codes({{0, 7}})), "x is not missing");
  EXPECT_EQ(words_of(with_levels(Kind::category, {"1", "2"}, true), codes({{0, 1}})), "x = 1");
}

TEST(wording, long_lists_are_cut_and_strange_levels_quoted) {
  std::vector<std::string> levels;
  for (int i = 0; i < 100; ++i) levels.push_back(fmt::format("l{}", i));
  EXPECT_EQ(words_of(with_levels(Kind::category, levels), codes({{0, 42}})),
            "x in {l0, l1, l2, l3, l4, l5, l6, l7, ... (42 in all)}");
  EXPECT_EQ(words_of(with_levels(Kind::category, {"", "a, b", "c"}), codes({{0, 2}})), "x is a known level and not c");
  EXPECT_EQ(words_of(with_levels(Kind::category, {"", "a, b", "c", "d"}), codes({{0, 2}})), "x in {'', 'a, b'}");
}

TEST(wording, whole_branches_go_by_their_name) {
  const ColumnSchema schema = hierarchy(
      {{"AR", "Americas"}, {"US", "Americas"}, {"DE", "Europe"}, {"FR", "Europe"}, {"JP", "Asia"}, {"CN", "Asia"}},
      {"AR", "US", "DE", "FR", "JP", "CN"});
  EXPECT_EQ(words_of(schema, codes({{0, 2}})), "x in Americas");
  EXPECT_EQ(words_of(schema, codes({{0, 3}})), "x in {Americas, DE}");
  EXPECT_EQ(words_of(schema, codes({{2, 7}})), "x is not in Americas");
  EXPECT_EQ(words_of(schema, codes({{3, 4}})), "x = FR");
  EXPECT_EQ(words_of(schema, codes({{0, 6}})), "x is a known level");
  EXPECT_EQ(condition_on(schema, codes({{0, 6}})).levels, (std::vector<std::string>{"Americas", "Europe", "Asia"}));
}

TEST(wording, an_axis_of_one_value_is_ordered_whatever_its_kind) {
  EXPECT_EQ(words_of(column_of(Kind::continuous), {.low = std::nextafter(5, 6)}), "x > 5");
  EXPECT_EQ(words_of(with_levels(Kind::category, {"a", "b", "c"}), {.low = std::nextafter(1, 2)}),
            "x = c or an unseen level");
  EXPECT_EQ(words_of(with_levels(Kind::category, {"a"}), {.low = std::nextafter(0, 1)}), "x is an unseen level");
  EXPECT_EQ(words_of(circle(360), {.low = std::nextafter(90, 91)}), "x from 90 to 360");
  EXPECT_EQ(words_of(circle(24, 1), {.high = 9.5}), "x 0 to 8");
  EXPECT_EQ(words_of(time_of({Derivation::month}), {.low = std::nextafter(2.5, 3)}), "x April to December");
  EXPECT_EQ(words_of(ordinal(1, 5), {.low = std::nextafter(2.5, 3)}), "x >= 4");
}

TEST(wording, a_witness_says_what_to_count) {
  ColumnSchema amount = column_of(Kind::continuous, "amount");
  amount.unit = "euro";
  const schema::Encoder encoder(Schema{{amount, with_levels(Kind::category, {"AR", "BR", "DE", "FR"}, false)}});
  const std::vector<std::size_t> order{1, 0};
  const std::vector<geometry::Interval> root{{.low = 0, .high = 4, .branches = {{0, 4}}}, {.low = 0, .high = 10000}};
  Part countries = codes({{0, 2}});
  Part amounts{.axis = 1, .low = 7500};
  const Witness witness = explain::witness_of({countries, amounts}, 3, 1'204'331, {encoder, order, root});
  EXPECT_DOUBLE_EQ(witness.volume, 0.125);
  EXPECT_DOUBLE_EQ(witness.expected(), 1'204'331 * 0.125);
  EXPECT_NEAR(witness.bits, std::log2(0.125 * 1'204'331 / 3), 1e-12);
  EXPECT_EQ(to_words(witness, encoder.schema()),
            "x in {AR, BR} and amount >= 7500 euro: only 3 of 1,204,331 rows (12 % of the space, 15.6 bits)");
}

TEST(wording, a_witness_may_be_tiny_empty_beyond_the_space_or_everything) {
  const Schema schema{{column_of(Kind::continuous)}};
  Witness witness{
      .conditions = {{.column = "x", .shape = Shape::range, .low = 5}}, .volume = 1.2e-5, .n_rows = 1000, .bits = -5.4};
  EXPECT_EQ(to_words(witness, schema), "x >= 5: none of 1,000 rows (1 in 83,000 of the range, -5.4 bits)");
  witness.volume = 1;
  EXPECT_EQ(to_words(witness, schema), "x >= 5: none of 1,000 rows (-5.4 bits)");
  witness = {.n_inside = 1000, .n_rows = 1000};
  EXPECT_EQ(to_words(witness, schema), "anything: 1,000 of 1,000 rows (0.0 bits)");
}

TEST(wording, a_column_that_the_schema_has_not_is_refused) {
  const Schema schema{{column_of(Kind::continuous)}};
  EXPECT_THROW(to_words(Condition{.column = "y"}, schema), InvalidInput);
}

}  // namespace
}  // namespace pidforest
