// SPDX-License-Identifier: Apache-2.0
#include "explain/rise_words.h"

#include <fmt/format.h>

#include <string_view>

#include "values/excerpt.h"

namespace pidforest::explain {

namespace {

bool is_fall(const std::string& number) { return number.starts_with('-'); }
bool is_zero(const std::string& number) { return number == "0" || number == "-0"; }
bool is_number(const std::string& words) {
  const std::size_t first = words.find_first_not_of('-');
  return first != std::string::npos && words[first] >= '0' && words[first] <= '9';
}
std::string_view without_sign(const std::string& number) {
  return std::string_view(number).substr(is_fall(number) ? 1 : 0);
}

/// "latency rose by 120 ms within 10 min". The name of the column begins with "rise of latency".
std::string sentence(const ColumnSchema& column, std::string_view verb, std::string_view by) {
  const std::size_t n_before = std::string_view("rise of ").size() + column.rise_of.size();
  const std::string_view within = column.name.size() > n_before ? std::string_view(column.name).substr(n_before) : "";
  const std::string unit = column.unit.empty() ? "" : " " + values::excerpt(column.unit);
  return fmt::format("{} {} by {}{}{}", values::excerpt(column.rise_of), verb, by, unit, values::excerpt(within));
}

}  // namespace

std::string name_in_words(const ColumnSchema& column) {
  constexpr std::size_t longest = 40;
  return values::excerpt(column.name, column.views.empty() ? longest : 2 * longest);
}

std::optional<std::string> own_rise(const ColumnSchema& column, const std::string& value) {
  if (column.rise_of.empty() || !is_number(value)) return {};
  return sentence(column, is_fall(value) ? "fell" : "rose", without_sign(value));
}

std::optional<std::string> words_of_rises(const EndWords& ends, const ColumnSchema& column) {
  if (column.rise_of.empty() || ends.form != EndWords::Form::numbers) return {};
  if (ends.is_one_value()) return own_rise(column, ends.low);
  const bool may_fall = ends.low.empty() || is_fall(ends.low);
  const bool may_rise = ends.high.empty() || !(is_fall(ends.high) || is_zero(ends.high));
  if (may_fall && may_rise) return {};
  const std::string& nearer = may_rise ? ends.low : ends.high;
  const std::string& farther = may_rise ? ends.high : ends.low;
  const std::string_view verb = may_rise ? "rose" : "fell";
  if (!farther.empty())
    return sentence(column, verb, fmt::format("{} to {}", without_sign(nearer), without_sign(farther)));
  const bool is_inside = may_rise ? ends.low_is_inside : ends.high_is_inside;
  return sentence(column, verb, fmt::format("{} {}", is_inside ? "at least" : "more than", without_sign(nearer)));
}

}  // namespace pidforest::explain
