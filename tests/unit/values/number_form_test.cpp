// SPDX-License-Identifier: Apache-2.0
#include "values/number_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "values/missing_words.h"

namespace pidforest::values {
namespace {

using Strings = std::vector<std::string>;

NumberForms forms_of(const Strings& texts) {
  NumberForms forms;
  for (const std::string& text : texts) {
    const auto number = split_number(text);
    EXPECT_TRUE(number) << text;
    if (number) forms.add(*number);
  }
  return forms;
}

/// How 1234.5 is written where these numbers are; empty if they have no form in common.
std::string form_of(const Strings& texts, char decimal = '.') {
  const auto form = forms_of(texts).form(decimal);
  return form ? form->example() : "";
}

double value_of(std::string_view text, std::string_view example) {
  const auto form = NumberForm::parse(example);
  EXPECT_TRUE(form) << example;
  return form ? form->read(text).value : 0;
}

TEST(number_form, separators_of_thousands_and_decimals_are_told_apart) {
  EXPECT_EQ(form_of({"1,234.5", "12"}), "1,234.5");
  EXPECT_EQ(form_of({"1.234,5", "12"}), "1.234,5");
  EXPECT_EQ(form_of({"1 234", "1,5"}), "1 234,5");
  EXPECT_EQ(form_of({"1\xC2\xA0"
                     "234.5"}),
            "1 234.5");
  EXPECT_EQ(form_of({"1'234.50"}), "1'234.5");
  EXPECT_EQ(form_of({"1,234,567"}, ','), "1,234.5");
  EXPECT_EQ(form_of({"1,234.5", "1.234,5"}), "");
}

TEST(number_form, three_digits_after_the_other_separator_are_thousands) {
  EXPECT_EQ(form_of({"1,234", "999"}), "1,234.5");
  EXPECT_EQ(form_of({"1.234", "999"}, ','), "1.234,5");
  EXPECT_EQ(form_of({"1,234", "0,123"}), "1234,5");
  EXPECT_EQ(form_of({"1,234", "12,5"}), "1234,5");
}

TEST(number_form, currencies_signs_and_parentheses_are_part_of_the_form) {
  EXPECT_EQ(form_of({"$5", "-$1,200.50", "$-3"}), "$1,234.5");
  EXPECT_EQ(form_of({"EUR 5", "EUR 12.5"}), "EUR 1234.5");
  EXPECT_EQ(form_of({"5,00 €", "1.200,50 €"}), "1.234,5 €");
  EXPECT_EQ(form_of({"(12.50)", "3"}), "(1234.5)");
  EXPECT_EQ(form_of({"$5", "€5"}), "");
  EXPECT_EQ(form_of({"$5", "5"}), "");
  EXPECT_EQ(form_of({"$5", "0"}), "$1234.5");
}

TEST(number_form, units_that_differ_in_size_only_share_a_form) {
  EXPECT_EQ(form_of({"5 %", "12.5%"}), "1234.5%");
  EXPECT_EQ(form_of({"5 %", "12.5 %"}), "1234.5 %");
  EXPECT_EQ(form_of({"12MB", "1.5GB", "0"}), "1234.5MB|GB");
  EXPECT_EQ(form_of({"3.5k", "950", "2M"}), "1234.5|k|M");
  EXPECT_EQ(form_of({"10 ms", "3 s"}), "1234.5 ms|s");
  EXPECT_EQ(form_of({"10 ms", "3 kg"}), "");
  EXPECT_EQ(form_of({"10 ms", "3"}), "");
  EXPECT_EQ(form_of({"10 ft", "3 mi"}), "");
}

TEST(number_form, texts_that_are_no_numbers_are_not_split) {
  for (const char* text : {"", "-", "12A", "5-10", "1.2.3", "1,2,34", "abc", "$", "%", "1 2", "(5", "10W40", "4x4",
                           "(-5)", "1e5", "$5 kg €", "12:30", "5.", "1,23,4"})
    EXPECT_FALSE(split_number(text)) << text;
}

TEST(number_form, values_are_read_in_the_first_unit) {
  EXPECT_EQ(value_of("-$1,234.50", "$1,234.5"), -1234.5);
  EXPECT_EQ(value_of("($1,234)", "($1,234.5)"), -1234);
  EXPECT_EQ(value_of("1.234,5", "1.234,5"), 1234.5);
  EXPECT_EQ(value_of("1.5GB", "1234.5MB|GB"), 1500);
  EXPECT_EQ(value_of("2 KiB", "1234.5B|KiB"), 2048);
  EXPECT_EQ(value_of("12kB", "1234.5MB|GB"), 0.012);
  EXPECT_EQ(value_of("2M", "1234.5|k"), 2e6);
  EXPECT_EQ(value_of("0", "1234.5MB"), 0);
  EXPECT_EQ(value_of("1e5", "1,234.5"), 1e5);
  EXPECT_TRUE(std::isnan(value_of("NA", "$1,234.5")));
}

TEST(number_form, a_text_of_another_form_is_no_number) {
  const NumberForm form = *NumberForm::parse("$1,234.5");
  for (const char* text : {"5", "€5", "$5 kg", "1.234,5", "abc"})
    EXPECT_EQ(form.read(text).form, NumberReading::Form::no_number) << text;
  EXPECT_EQ(form.read("NA").form, NumberReading::Form::word);
}

TEST(number_form, a_word_for_missing_has_no_sign) {
  for (const char* text : {"NA", " null ", "-"}) EXPECT_EQ(read_number(text).form, NumberReading::Form::word) << text;
  for (const char* text : {"+NA", "+null", "+?", "-NA"})
    EXPECT_EQ(read_number(text).form, NumberReading::Form::no_number) << text;
}

TEST(number_form, numbers_are_written_in_their_form) {
  const auto words = [](std::string_view example, double number) {
    return NumberForm::parse(example)->words(number, 6);
  };
  EXPECT_EQ(words("$1,234.5", 12500.5), "$12,500.5");
  EXPECT_EQ(words("$1,234.5", 4000), "$4,000");
  EXPECT_EQ(words("$1234.5", 4000), "$4000");
  EXPECT_EQ(words("$1,234.5", -20), "-$20");
  EXPECT_EQ(words("($1,234.5)", -20), "($20)");
  EXPECT_EQ(words("1.234,5 €", 12500.5), "12.500,5 €");
  EXPECT_EQ(words("1234.5MB|GB", 1500), "1.5GB");
  EXPECT_EQ(words("1234.5MB|GB", 12), "12MB");
  EXPECT_EQ(words("1234.5|k|M", 950), "950");
  EXPECT_EQ(words("1234.5|k|M", 3500), "3.5k");
  EXPECT_EQ(words("1234.5%", 5), "5%");
}

TEST(number_form, only_an_example_is_a_form) {
  for (const char* text : {"", "1234", "1,234.50", "$", "1234.5 foo", "1234.5 |k ", "(1234.5", "x1234.5", "1234.5MB|",
                           "1234.5GB|MB", "1234.5ft|mi"})
    EXPECT_FALSE(NumberForm::parse(text)) << text;
}

RC_GTEST_PROP(number_form, what_a_form_writes_it_reads, ()) {
  const std::string example =
      *rc::gen::element<std::string>("1234.5", "1,234.5", "1.234,5", "1 234,5", "$1,234.5", "(EUR 1'234.5)", "1234.5 %",
                                     "1234.5MB", "1234,5 kg", "1 234.5 €");
  const auto form = NumberForm::parse(example);
  RC_ASSERT(form.has_value());
  RC_ASSERT(form->example() == example);
  const double number = *rc::gen::inRange(-99'999'999, 99'999'999) / 64.0;
  RC_ASSERT(form->read(form->words(number, 17)).value == number);
}

RC_GTEST_PROP(number_form, facts_merge_in_any_order, ()) {
  const auto texts = *rc::gen::container<Strings>(rc::gen::element<std::string>(
      "5", "0", "1,234", "1.5", "1.234,5", "$5", "$ 5", "5 €", "(3)", "5%", "5 %", "12MB", "1 GB", "3k", "1 234"));
  const auto n = *rc::gen::inRange<std::size_t>(0, texts.size() + 1);
  const auto middle = texts.begin() + static_cast<std::ptrdiff_t>(n);
  NumberForms merged = forms_of({middle, texts.end()});
  merged.merge(forms_of({texts.begin(), middle}));
  RC_ASSERT(merged.found() == forms_of(texts).found());
  RC_ASSERT(NumberForms::is_possible(merged.found()));
}

TEST(missing_words, are_known_in_any_case) {
  for (const char* text : {"NA", "na", "N/A", "n/a", "#N/A", "<NA>", "NaT", "null", "NULL", "None", "-", "--", "?"})
    EXPECT_TRUE(MissingWords::contain(text)) << text;
  for (const char* text : {"", "N", "nil", "nothing", "---", "0", ".", "x"})
    EXPECT_FALSE(MissingWords::contain(text)) << text;
}

TEST(missing_words, are_listed_in_one_order) {
  MissingWords words;
  words.add("null");
  EXPECT_EQ(words.text(), "null");
  words.add("na");
  EXPECT_EQ(words.text(), "NA and null");
  MissingWords more;
  more.add("?");
  words.merge(more);
  EXPECT_EQ(words.text(), "NA, null and ?");
  EXPECT_EQ(MissingWords(words.bits()).text(), words.text());
}

}  // namespace
}  // namespace pidforest::values
