// SPDX-License-Identifier: Apache-2.0
#include "explain/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "pidforest/error.h"
#include "schema/level_names.h"
#include "schema/levels.h"
#include "schema/native_scale.h"
#include "values/excerpt.h"
#include "values/nearest_word.h"
#include "values/number_form.h"
#include "values/number_text.h"
#include "values/read_text.h"
#include "values/time.h"

namespace pidforest::explain {

namespace {

using Form = Comparison::Form;
using values::excerpt;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Reading the words.

struct Sign {
  std::string_view text;
  Form form;
  bool is_negated = false;
};

/// Longer signs come before those that they begin with.
constexpr auto signs = std::to_array<Sign>({{"<=", Form::at_most},
                                            {">=", Form::at_least},
                                            {"!=", Form::equal, true},
                                            {"<>", Form::equal, true},
                                            {"==", Form::equal},
                                            {"<", Form::less},
                                            {">", Form::more},
                                            {"=", Form::equal}});

/// The sign with its sides exchanged, for `3 < x`.
Form turned(Form form) {
  switch (form) {
    case Form::less:
      return Form::more;
    case Form::at_most:
      return Form::at_least;
    case Form::more:
      return Form::less;
    case Form::at_least:
      return Form::at_most;
    default:
      return form;
  }
}

class WordReader {
 public:
  explicit WordReader(std::string_view words) : words_(words) {}

  std::vector<Comparison> read() {
    do {
      read_comparison();
    } while (takes_word("and"));
    skip_blanks();
    if (at_ < words_.size()) refuse("must have \"and\" between two conditions");
    return std::move(read_);
  }

 private:
  void read_comparison() {
    const std::string first = operand(Role::column);
    if (takes_word("in")) return add_set(first, false);
    if (takes_words("not", "in")) return add_set(first, true);
    if (takes_word("is")) return add_state(first);
    const std::optional<Sign> sign = takes_sign();
    if (!sign) refuse("must go on with =, !=, <, <=, >, >=, in {...}, is missing or is not missing");
    const std::string second = operand(Role::value);
    const std::optional<Sign> further = takes_sign();
    if (!further) return add({first, sign->form, {second}, sign->is_negated});
    add({second, turned(sign->form), {first}, sign->is_negated});
    add({second, further->form, {operand(Role::value)}, further->is_negated});
  }

  void add(Comparison comparison) { read_.push_back(std::move(comparison)); }

  void add_state(const std::string& column) {
    const bool is_negated = takes_word("not");
    if (takes_word("missing")) return add({column, Form::missing, {}, is_negated});
    add({column, Form::equal, {operand(Role::value)}, is_negated});
  }

  void add_set(const std::string& column, bool is_negated) {
    skip_blanks();
    if (at_ == words_.size() || words_[at_] != '{') refuse("must have a set such as {A, B} after \"in\"");
    Comparison comparison{column, Form::among, {}, is_negated};
    do {
      ++at_;
      comparison.values.push_back(operand(Role::member));
      skip_blanks();
    } while (at_ < words_.size() && words_[at_] == ',');
    if (at_ == words_.size() || words_[at_] != '}') refuse("must have a } at the end of the set");
    ++at_;
    add(std::move(comparison));
  }

  void skip_blanks() {
    while (at_ < words_.size() && values::is_blank(words_[at_])) ++at_;
  }

  /// Whether the word stands at `at`, ignoring case, as a whole word.
  [[nodiscard]] bool is_word_at(std::size_t at, std::string_view word) const {
    if (!values::is_word(words_.substr(at, word.size()), word)) return false;
    const std::size_t end = at + word.size();
    return end == words_.size() || values::is_blank(words_[end]) || words_[end] == '{';
  }

  bool takes_word(std::string_view word) {
    skip_blanks();
    if (!is_word_at(at_, word)) return false;
    at_ += word.size();
    return true;
  }

  bool takes_words(std::string_view first, std::string_view second) {
    const std::size_t begin = at_;
    if (takes_word(first) && takes_word(second)) return true;
    at_ = begin;
    return false;
  }

  std::optional<Sign> takes_sign() {
    skip_blanks();
    for (const Sign& sign : signs)
      if (words_.substr(at_).starts_with(sign.text)) {
        at_ += sign.text.size();
        return sign;
      }
    return std::nullopt;
  }

  /// What an operand is; a member is a value in a set.
  enum class Role : std::uint8_t { column, value, member };

  /// Whether a bare operand ends before the place; words of the grammar stand after a blank.
  [[nodiscard]] bool ends_at(std::size_t at, Role role) const {
    const std::string_view ends = role == Role::member ? "<>=!{}," : "<>=!{}";
    if (ends.find(words_[at]) != std::string_view::npos) return true;
    if (at == 0 || !values::is_blank(words_[at - 1])) return false;
    if (is_word_at(at, "and")) return true;
    return role == Role::column && (is_word_at(at, "in") || is_word_at(at, "is") || is_word_at(at, "not"));
  }

  /// A name or a value, in quotes or bare; bare ones may have blanks within.
  std::string operand(Role role) {
    skip_blanks();
    if (at_ < words_.size() && (words_[at_] == '\'' || words_[at_] == '"')) return quoted();
    const std::size_t begin = at_;
    while (at_ < words_.size() && !ends_at(at_, role)) ++at_;
    const std::string_view text = values::trimmed(words_.substr(begin, at_ - begin));
    if (text.empty()) refuse(role == Role::column ? "must have the name of a column" : "must have a value");
    return std::string(text);
  }

  /// A doubled quote stands for one.
  std::string quoted() {
    const char quote = words_[at_++];
    std::string text;
    for (; at_ < words_.size(); ++at_) {
      if (words_[at_] != quote) {
        text += words_[at_];
      } else if (at_ + 1 < words_.size() && words_[at_ + 1] == quote) {
        text += words_[at_++];
      } else {
        ++at_;
        return text;
      }
    }
    refuse(fmt::format("must have a {} at the end of the text", quote));
  }

  [[noreturn]] void refuse(const std::string& demand) const {
    const std::string_view rest = values::trimmed(words_.substr(std::min(at_, words_.size())));
    throw InvalidInput(
        fmt::format("the conditions {}; got {}. An example: x > 3 and y in {{A, B}} and z is not missing.", demand,
                    rest.empty() ? "their end" : fmt::format("'{}'", excerpt(rest))));
  }

  std::string_view words_;
  std::size_t at_ = 0;
  std::vector<Comparison> read_;
};

// The meaning of the values.

const ColumnSchema& column_of(const Comparison& comparison, const Schema& schema) {
  std::vector<std::string> used;
  for (const ColumnSchema& column : schema.columns) {
    if (column.kind == Kind::ignored) continue;
    if (column.name == comparison.column) return column;
    used.push_back(column.name);
  }
  throw InvalidInput(fmt::format("the condition on '{}' must name a column that is used: {}.{}",
                                 excerpt(comparison.column), fmt::join(used, ", "),
                                 values::did_you_mean(comparison.column, used)));
}

[[noreturn]] void refuse(const Comparison& comparison, std::string_view demand, std::string_view got,
                         std::string_view remedy = "") {
  throw InvalidInput(
      fmt::format("the condition on '{}' {}; got '{}'.{}", excerpt(comparison.column), demand, excerpt(got), remedy));
}

/// A value and the first one after it.
struct Step {
  double value;
  double next;
};

std::optional<Step> whole_day_or_instant(const ColumnSchema& column, const std::string& text) {
  std::optional<values::WrittenTime> written = values::parse_time(text, column.date_order);
  if (!written) return std::nullopt;
  const values::Zone zone(column.zone.empty() ? "UTC" : column.zone);
  const std::int64_t begin = zone.to_utc(*written);
  std::int64_t end = begin + 1;
  if (!written->has_time_of_day) {
    written->clock += values::microseconds_per_day;
    end = zone.to_utc(*written);
  }
  constexpr double unit = values::microseconds_per_second;
  return Step{static_cast<double>(begin) / unit, static_cast<double>(end) / unit};
}

double number_of(const Comparison& comparison, const ColumnSchema& column, const std::string& text) {
  const values::NumberReading plain = values::read_number(text);
  if (plain.form == values::NumberReading::Form::number) return plain.value;
  const auto form = column.written.empty() ? std::nullopt : values::NumberForm::parse(column.written);
  const values::NumberReading written = form ? form->read(text) : plain;
  if (written.form == values::NumberReading::Form::number) return written.value;
  refuse(comparison, "must have a number", text);
}

Step step_of(const Comparison& comparison, const ColumnSchema& column, double cell, const std::string& text) {
  if (column.kind == Kind::time) {
    if (const auto step = whole_day_or_instant(column, text)) return *step;
    refuse(comparison, "must have a date or time such as 2026-11-16 or 2026-11-16 08:30", text);
  }
  const double number = number_of(comparison, column, text);
  if (cell == 0) return {number, std::nextafter(number, infinity)};
  if (number != std::round(number / cell) * cell)
    refuse(comparison, fmt::format("must have a multiple of {}", values::shortest_text(cell)), text);
  return {number, number + cell};
}

/// low <= x < high.
std::pair<double, double> range_of(Form form, const Step& step) {
  switch (form) {
    case Form::less:
      return {-infinity, step.value};
    case Form::at_most:
      return {-infinity, step.next};
    case Form::more:
      return {step.next, infinity};
    case Form::at_least:
      return {step.value, infinity};
    default:
      return {step.value, step.next};
  }
}

void set_range(Condition& condition, const Comparison& comparison, const ColumnSchema& column,
               const std::string& value) {
  if (column.kind == Kind::time) condition.derivation = Derivation::epoch;
  const schema::NativeScale scale(column, condition.derivation);
  const Step step = step_of(comparison, column, scale.step(), value);
  std::tie(condition.low, condition.high) = range_of(comparison.form, step);
  condition.shape = scale.period() > 0 ? Condition::Shape::arc : Condition::Shape::range;
  if (scale.period() == 0) return;
  if (std::isinf(condition.low)) condition.low = 0;
  if (std::isinf(condition.high) || condition.high == scale.period()) condition.high = 0;
}

/// The name of a level as the schema has it; empty if there is none.
std::string level_of(const std::string& text, const ColumnSchema& column, const schema::LevelNames& names) {
  schema::LevelSet ignored(names.size());
  if (names.add(text, ignored)) return text;
  if (column.kind == Kind::boolean) {
    const std::string_view word = text == "1" ? "true" : text == "0" ? "false" : std::string_view(text);
    if (const auto boolean = values::read_boolean(word)) return *boolean ? "true" : "false";
  }
  const values::NumberReading number = values::read_number(text);
  const std::string shortest =
      number.form == values::NumberReading::Form::number ? values::shortest_text(number.value) : "";
  return !shortest.empty() && names.add(shortest, ignored) ? shortest : "";
}

void set_levels(Condition& condition, const Comparison& comparison, const ColumnSchema& column) {
  const schema::LevelNames names(column, {});
  condition.shape = Condition::Shape::levels;
  for (const std::string& text : comparison.values) {
    condition.levels.push_back(level_of(text, column, names));
    if (condition.levels.back().empty())
      refuse(comparison, fmt::format("must have one of {}", schema::list_of(names.names())), text,
             values::did_you_mean(text, names.names()));
  }
  if (comparison.form == Form::equal || comparison.form == Form::among) return;
  if (column.kind != Kind::ordinal)
    refuse(comparison, "must have =, !=, in or not in, as its levels have no order", comparison.values[0]);
  const auto place = std::ranges::find(names.names(), condition.levels[0]) - names.names().begin();
  const bool is_up = comparison.form == Form::more || comparison.form == Form::at_least;
  const bool is_inside = comparison.form == Form::at_most || comparison.form == Form::at_least;
  condition.levels.clear();
  for (std::ptrdiff_t i = 0; i < std::ssize(names.names()); ++i)
    if (is_up ? i > place : i < place) condition.levels.push_back(names.names()[static_cast<std::size_t>(i)]);
  if (is_inside) condition.levels.push_back(names.names()[static_cast<std::size_t>(place)]);
  if (condition.levels.empty()) refuse(comparison, "must hold for some level", comparison.values[0]);
}

}  // namespace

std::vector<Comparison> parse_comparisons(std::string_view words) { return WordReader(words).read(); }

std::vector<Condition> conditions_of(const Comparison& comparison, const Schema& schema) {
  const ColumnSchema& column = column_of(comparison, schema);
  Condition condition{.column = column.name, .shape = Condition::Shape::missing};
  if (comparison.form == Form::missing) return {condition};
  if (schema::LevelNames::apply_to(column, {})) {
    set_levels(condition, comparison, column);
    return {condition};
  }
  std::vector<Condition> conditions;
  for (const std::string& value : comparison.values) {
    set_range(condition, comparison, column, value);
    conditions.push_back(condition);
  }
  return conditions;
}

}  // namespace pidforest::explain
