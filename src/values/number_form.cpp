// SPDX-License-Identifier: Apache-2.0
#include "values/number_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "values/number_units.h"
#include "values/number_words.h"

namespace pidforest::values {

namespace {

constexpr std::size_t none = no_unit;

struct Convention {
  char decimal;
  /// NUL for none.
  char thousands;
};

constexpr std::array<Convention, 7> conventions{
    {{'.', '\0'}, {'.', ','}, {'.', ' '}, {'.', '\''}, {',', '\0'}, {',', '.'}, {',', ' '}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool are_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

/// Blanks of one, two and three bytes.
constexpr std::array<std::string_view, 4> blanks{" ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};

/// Reads a text from left to right.
struct Rest {
  std::string_view text;

  bool take(std::string_view word) {
    const bool is_here = text.starts_with(word);
    if (is_here) text.remove_prefix(word.size());
    return is_here;
  }
  bool take_blank() {
    return std::ranges::any_of(blanks, [&](std::string_view blank) { return take(blank); });
  }
  bool take_blanks() {
    if (!take_blank()) return false;
    while (take_blank()) continue;
    return true;
  }
  bool take_minus() { return take("-") || take("\xE2\x88\x92"); }
};

/// Digits and separators up to the last digit.
std::string take_digits(Rest& rest) {
  std::string digits;
  Rest after = rest;
  for (std::string gap; !after.text.empty();) {
    const char c = after.text.front();
    if (is_digit(c)) {
      digits += gap + c;
      gap.clear();
      after.text.remove_prefix(1);
      rest = after;
    } else if (c == '.' || c == ',' || c == '\'') {
      gap += c;
      after.text.remove_prefix(1);
    } else if (after.take_blank()) {
      gap += ' ';
    } else {
      break;
    }
  }
  return digits;
}

std::size_t take_currency(Rest& rest) {
  const auto found = std::ranges::find_if(currencies, [&](std::string_view name) { return rest.take(name); });
  return found == currencies.end() ? none : static_cast<std::size_t>(found - currencies.begin());
}

std::size_t place_of_unit(std::string_view name) {
  const auto found = std::ranges::find(units, name, &NumberUnit::name);
  return found == units.end() ? none : static_cast<std::size_t>(found - units.begin());
}

/// False for most texts that are no numbers. Other blanks, signs and currencies begin with a byte beyond ASCII.
bool may_begin(char c) {
  constexpr std::string_view digits_signs_currencies = "0123456789+-(.,$kzABCDEGIJNPRSU";
  return static_cast<unsigned char>(c) > 0x7F || digits_signs_currencies.find(c) != std::string_view::npos;
}

/// Reads a sign, a currency, and a sign after it.
void take_beginning(Rest& rest, WrittenNumber& number) {
  number.is_negative = rest.take_minus();
  if (!number.is_negative) rest.take("+");
  number.currency_before = take_currency(rest);
  if (number.currency_before == none) return;
  number.has_blank_before = rest.take_blanks();
  number.is_negative = rest.take_minus() || number.is_negative;
}

/// Reads a currency or a unit. Returns false if anything else is left.
bool take_end(Rest& rest, WrittenNumber& number) {
  number.has_blank_after = rest.take_blanks();
  if (rest.text.empty()) return true;
  number.unit = place_of_unit(rest.text);
  if (number.unit != none) return true;
  number.currency_after = take_currency(rest);
  return number.currency_after != none && rest.text.empty() && number.currency_before == none;
}

/// Thousands in groups of three digits after a first group without zeros before it.
bool are_groups(std::string_view text, char separator) {
  constexpr std::size_t group = 3;
  const std::size_t first = text.find(separator);
  if (first == std::string_view::npos) return are_digits(text);
  if (first == 0 || first > group || text[0] == '0' || !are_digits(text.substr(0, first))) return false;
  for (text.remove_prefix(first); !text.empty(); text.remove_prefix(group + 1))
    if (text[0] != separator || text.size() < group + 1 || !are_digits(text.substr(1, group))) return false;
  return true;
}

bool fits_convention(std::string_view digits, const Convention& convention) {
  const std::size_t point = digits.find(convention.decimal);
  const std::string_view whole = digits.substr(0, point);
  if (point != std::string_view::npos && !are_digits(digits.substr(point + 1))) return false;
  if (whole.empty()) return point == 0;
  return convention.thousands == '\0' ? are_digits(whole) : are_groups(whole, convention.thousands);
}

bool is_zero(std::string_view digits) { return digits.find_first_of("123456789") == std::string_view::npos; }

std::size_t lowest_bit(std::uint64_t bits) {
  return bits == 0 ? none : static_cast<std::size_t>(std::countr_zero(bits));
}

/// Writes a number of number_words with other separators. A number of four digits has none there.
std::string with_separators(std::string words, const Convention& convention) {
  constexpr std::size_t four = 4;
  const std::size_t n_digits = std::min(words.find_first_not_of("0123456789"), words.size());
  if (n_digits == four && convention.thousands != '\0') words.insert(1, 1, ',');
  std::string text;
  for (const char c : words) {
    if (c == ',' && convention.thousands == '\0' && convention.decimal == ',') continue;
    if (c == ',')
      text += convention.thousands == '\0' ? ',' : convention.thousands;
    else
      text += c == '.' ? convention.decimal : c;
  }
  return text;
}

}  // namespace

std::optional<WrittenNumber> split_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || !may_begin(text.front())) return std::nullopt;
  WrittenNumber number;
  number.has_parentheses = text.size() > 2 && text.front() == '(' && text.back() == ')';
  Rest rest{number.has_parentheses ? text.substr(1, text.size() - 2) : text};
  take_beginning(rest, number);
  if (number.has_parentheses && number.is_negative) return std::nullopt;
  number.is_negative |= number.has_parentheses;
  number.digits = take_digits(rest);
  if (number.digits.empty() || !take_end(rest, number)) return std::nullopt;
  const auto fits = [&](const Convention& convention) { return fits_convention(number.digits, convention); };
  return std::ranges::any_of(conventions, fits) ? std::optional(std::move(number)) : std::nullopt;
}

bool has_thousands(std::string_view text, char separator) {
  text = trimmed(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const char decimal = separator == ',' ? '.' : ',';
  return text.find(separator) != std::string_view::npos && fits_convention(text, {decimal, separator});
}

std::optional<NumberForm> NumberForm::parse(std::string_view example) {
  NumberForm form;
  form.has_parentheses_ = example.starts_with('(') && example.ends_with(')');
  Rest rest{form.has_parentheses_ ? example.substr(1, example.size() - 2) : example};
  form.currency_before_ = take_currency(rest);
  form.has_blank_before_ = form.currency_before_ != none && rest.take_blank();
  const std::string digits = take_digits(rest);
  const auto is_written = [&](const Convention& c) {
    return digits == fmt::format("1{}234{}5", c.thousands == '\0' ? "" : std::string(1, c.thousands), c.decimal);
  };
  const auto found = std::ranges::find_if(conventions, is_written);
  if (found == conventions.end()) return std::nullopt;
  form.convention_ = static_cast<std::size_t>(found - conventions.begin());
  form.has_blank_after_ = rest.take_blank();
  form.currency_after_ = take_currency(rest);
  for (std::string_view names = rest.text; form.currency_after_ == none && !rest.text.empty();) {
    const std::size_t end = std::min(names.find('|'), names.size());
    form.units_.push_back(place_of_unit(names.substr(0, end)));
    if (end == names.size()) break;
    names.remove_prefix(end + 1);
  }
  const auto is_alike = [&](std::size_t unit) { return are_alike(unit, form.units_.front()); };
  const bool is_possible =
      std::ranges::all_of(form.units_, is_alike) && std::ranges::is_sorted(form.units_, {}, unit_size_of);
  return is_possible && form.example() == example ? std::optional(std::move(form)) : std::nullopt;
}

std::string NumberForm::example() const {
  const Convention& convention = conventions[convention_];
  std::string text = fmt::format("1{}234{}5", convention.thousands == '\0' ? "" : std::string(1, convention.thousands),
                                 convention.decimal);
  if (currency_before_ != none)
    text = fmt::format("{}{}{}", currencies[currency_before_], has_blank_before_ ? " " : "", text);
  const bool has_end = currency_after_ != none || !units_.empty();
  if (has_end && has_blank_after_) text += ' ';
  if (currency_after_ != none) text += currencies[currency_after_];
  for (std::size_t i = 0; i < units_.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "|", units_[i] == none ? "" : units[units_[i]].name);
  return has_parentheses_ ? fmt::format("({})", text) : text;
}

std::size_t NumberForm::convention_of(const WrittenNumber& number) const {
  if (fits_convention(number.digits, conventions[convention_])) return convention_;
  for (std::size_t i = 0; i < conventions.size(); ++i)
    if (conventions[i].decimal == conventions[convention_].decimal && fits_convention(number.digits, conventions[i]))
      return i;
  return none;
}

bool NumberForm::has_ends_of(const WrittenNumber& number) const {
  const bool is_bare = number.unit == none && number.currency_before == none && number.currency_after == none;
  if (is_bare && is_zero(number.digits)) return true;
  if (number.currency_before != currency_before_ || number.currency_after != currency_after_) return false;
  if (units_.empty()) return number.unit == none;
  return are_alike(number.unit, units_.front()) &&
         (number.unit != none || unit_family_of(units_.front()) == UnitFamily::count);
}

NumberReading NumberForm::read(std::string_view text) const {
  const std::optional<WrittenNumber> number = split_number(text);
  const std::size_t found = number && has_ends_of(*number) ? convention_of(*number) : none;
  if (found == none) {
    const NumberReading reading = read_number(text, conventions[convention_].decimal);
    const bool is_plain = units_.empty() && currency_before_ == none && currency_after_ == none;
    return reading.is_missing() || is_plain ? reading : NumberReading{.form = NumberReading::Form::no_number};
  }
  const Convention& convention = conventions[found];
  std::string digits = number->is_negative ? "-" : "";
  for (const char c : number->digits)
    if (c != convention.thousands) digits += c == convention.decimal ? '.' : c;
  NumberReading reading = read_number(digits);
  if (!units_.empty() && number->unit != units_.front())
    reading.value = reading.value * unit_size_of(number->unit) / unit_size_of(units_.front());
  return reading;
}

std::string NumberForm::words(double number, int n_digits) const {
  std::size_t unit = units_.empty() ? none : units_.front();
  for (const std::size_t larger : units_)
    if (std::abs(number) * unit_size_of(units_.front()) >= unit_size_of(larger)) unit = larger;
  if (!units_.empty()) number = number * unit_size_of(units_.front()) / unit_size_of(unit);
  std::string text = with_separators(number_words(std::abs(number), n_digits), conventions[convention_]);
  if (currency_before_ != none)
    text = fmt::format("{}{}{}", currencies[currency_before_], has_blank_before_ ? " " : "", text);
  const std::string_view end = currency_after_ != none ? currencies[currency_after_]
                               : unit == none          ? ""
                                                       : units[unit].name;
  if (!end.empty()) text += fmt::format("{}{}", has_blank_after_ ? " " : "", end);
  if (number >= 0) return text;
  return has_parentheses_ ? fmt::format("({})", text) : fmt::format("-{}", text);
}

void NumberForms::add(const WrittenNumber& number) {
  for (std::size_t i = 0; i < conventions.size(); ++i)
    if (!fits_convention(number.digits, conventions[i])) found_.conventions &= static_cast<std::uint8_t>(~(1U << i));
  const auto add_bit = [](std::uint64_t& bits, std::size_t place) {
    if (place != none) bits |= std::uint64_t{1} << place;
  };
  add_bit(found_.units, number.unit);
  add_bit(found_.currencies_before, number.currency_before);
  add_bit(found_.currencies_after, number.currency_after);
  const bool has_currency = number.currency_before != none || number.currency_after != none;
  const bool is_bare_zero = !has_currency && number.unit == none && is_zero(number.digits);
  found_.any_parentheses |= number.has_parentheses;
  found_.any_tight_before |= number.currency_before != none && !number.has_blank_before;
  found_.any_tight_after |= (number.unit != none || number.currency_after != none) && !number.has_blank_after;
  found_.any_without_currency |= !has_currency && !is_bare_zero;
  found_.any_without_unit |= number.unit == none && !is_bare_zero;
}

void NumberForms::merge(const NumberForms& other) {
  found_.conventions &= other.found_.conventions;
  found_.units |= other.found_.units;
  found_.currencies_before |= other.found_.currencies_before;
  found_.currencies_after |= other.found_.currencies_after;
  found_.any_parentheses |= other.found_.any_parentheses;
  found_.any_tight_before |= other.found_.any_tight_before;
  found_.any_tight_after |= other.found_.any_tight_after;
  found_.any_without_currency |= other.found_.any_without_currency;
  found_.any_without_unit |= other.found_.any_without_unit;
}

bool NumberForms::is_possible(const Found& found) {
  const auto are_below = [](std::uint64_t bits, std::size_t n) { return bits >> n == 0; };
  return are_below(found.conventions, conventions.size()) && are_below(found.units, units.size()) &&
         are_below(found.currencies_before, currencies.size()) && are_below(found.currencies_after, currencies.size());
}

std::optional<NumberForm> NumberForms::form(char decimal) const {
  NumberForm form;
  const auto is_possible = [&](std::size_t i) { return (found_.conventions >> i & 1U) != 0; };
  std::size_t convention = none;
  for (std::size_t i = conventions.size(); i-- > 0;)
    if (is_possible(i) &&
        (convention == none || conventions[i].decimal == decimal || conventions[convention].decimal != decimal))
      convention = i;
  const int n_currencies = std::popcount(found_.currencies_before) + std::popcount(found_.currencies_after);
  if (convention == none || n_currencies > 1 || (n_currencies == 1 && found_.any_without_currency)) return std::nullopt;
  form.convention_ = convention;
  form.currency_before_ = lowest_bit(found_.currencies_before);
  form.currency_after_ = lowest_bit(found_.currencies_after);
  for (std::uint64_t left = found_.units; left != 0; left &= left - 1) form.units_.push_back(lowest_bit(left));
  if (!form.units_.empty() && found_.any_without_unit) form.units_.push_back(none);
  if (form.units_.size() > 1)
    for (const std::size_t unit : form.units_)
      if (!are_alike(unit, form.units_.front())) return std::nullopt;
  std::ranges::stable_sort(form.units_, {}, unit_size_of);
  form.has_blank_before_ = form.currency_before_ != none && !found_.any_tight_before;
  form.has_blank_after_ = (form.currency_after_ != none || !form.units_.empty()) && !found_.any_tight_after;
  form.has_parentheses_ = found_.any_parentheses;
  return form;
}

}  // namespace pidforest::values
