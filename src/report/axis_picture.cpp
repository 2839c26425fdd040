// SPDX-License-Identifier: Apache-2.0
#include "report/axis_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "report/ticks.h"
#include "schema/level_names.h"
#include "schema/native_scale.h"
#include "schema/time_column.h"
#include "values/excerpt.h"
#include "values/number_words.h"
#include "values/time_text.h"

namespace pidforest::report {

namespace {

constexpr std::size_t most_bars = 48;
/// The most bars of a category.
constexpr std::size_t most_levels = 16;
constexpr std::size_t most_marked_levels = 12;
constexpr std::size_t longest_level = 60;

/// The levels with separate bars, the most frequent first. Marked levels are always included.
std::vector<std::size_t> drawn_levels(const AxisFacts& facts, std::span<const double> marked) {
  std::vector<std::size_t> order(facts.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (facts.levels.back() == 0) order.pop_back();
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t level) { return facts.levels[level]; });
  if (order.size() <= most_levels + 1) return order;
  std::set<std::size_t> kept(order.begin(), order.begin() + most_levels);
  for (const double value : marked)
    if (!std::isnan(value) && kept.size() < most_levels + most_marked_levels)
      kept.insert(static_cast<std::size_t>(value));
  std::erase_if(order, [&](std::size_t level) { return !kept.contains(level); });
  return order;
}

std::string name_of_axis(const NamedAxis& axis) {
  const std::string name = values::excerpt(axis.column.name);
  return axis.derivation ? fmt::format("{}, {}", name, words_of(*axis.derivation)) : name;
}

}  // namespace

bool NamedAxis::has_levels() const { return schema::LevelNames::apply_to(column, derivation); }

AxisPicture::AxisPicture(const NamedAxis& axis, const AxisFacts& facts, std::span<const double> marked) {
  drawn_.name = name_of_axis(axis);
  drawn_.n_missing = facts.n_missing;
  drawn_.is_circle = axis.info.kind == geometry::AxisKind::cyclic;
  if (axis.has_levels())
    draw_levels(axis, facts, marked);
  else if (facts.low <= facts.high)
    draw_numbers(axis, facts);
}

void AxisPicture::set_bars(std::size_t n) { drawn_.bars.assign(n, 0); }

void AxisPicture::draw_levels(const NamedAxis& axis, const AxisFacts& facts, std::span<const double> marked) {
  are_codes_ = axis.info.kind == geometry::AxisKind::category;
  const schema::LevelNames names(axis.column, axis.derivation);
  const auto name = [&](std::size_t level) {
    return level < names.size() ? values::excerpt(names.names()[level], longest_level) : "unseen level";
  };
  if (!are_codes_ && names.size() <= most_bars) {
    bar_of_level_.resize(names.size());
    std::iota(bar_of_level_.begin(), bar_of_level_.end(), std::size_t{0});
    for (std::size_t level = 0; level < names.size(); ++level) drawn_.levels.push_back(name(level));
  } else if (!are_codes_) {
    const std::size_t levels_per_bar = (names.size() + most_bars - 1) / most_bars;
    for (std::size_t level = 0; level < names.size(); ++level) bar_of_level_.push_back(level / levels_per_bar);
    for (std::size_t first = 0; first < names.size(); first += levels_per_bar)
      drawn_.levels.push_back(
          fmt::format("{} to {}", name(first), name(std::min(first + levels_per_bar, names.size()) - 1)));
  } else {
    const std::vector<std::size_t> order = drawn_levels(facts, marked);
    bar_of_level_.assign(facts.levels.size(), order.size());
    for (std::size_t bar = 0; bar < order.size(); ++bar) {
      bar_of_level_[order[bar]] = bar;
      drawn_.levels.push_back(name(order[bar]));
    }
    const std::size_t n_others = names.size() + (facts.levels.back() > 0 ? 1 : 0) - order.size();
    if (n_others > 0) drawn_.levels.push_back(fmt::format("{} others", values::count_words(n_others)));
  }
  set_bars(drawn_.levels.size());
}

void AxisPicture::draw_numbers(const NamedAxis& axis, const AxisFacts& facts) {
  const auto n_cells = static_cast<double>(axis.info.n_cells);
  std::size_t n_bars = facts.low < facts.high ? most_bars : 1;
  if (axis.info.kind == geometry::AxisKind::cyclic)
    scale_ = Scale(0, axis.info.period);
  else if (axis.info.n_cells > 0)
    scale_ = Scale(0, n_cells);
  else
    scale_ = axis.derivation ? Scale(facts.low, facts.high) : Scale(facts.low, facts.high, facts.sample);
  // Bars of whole cells begin and end between cells.
  if (axis.info.n_cells > 0) {
    const auto per_bar = std::ceil(n_cells / static_cast<double>(most_bars));
    n_bars = static_cast<std::size_t>(std::ceil(n_cells / per_bar));
    scale_ = Scale(0, per_bar * static_cast<double>(n_bars));
  }
  set_bars(n_bars);
  for (std::size_t bar = 1; bar < n_bars; ++bar)
    borders_.push_back(scale_.number_at(static_cast<double>(bar) / static_cast<double>(n_bars)));
  drawn_.scale = scale_.words();
  drawn_.ticks = ticks_of(scale_, axis);
}

std::size_t AxisPicture::bar_of(double value) const {
  if (bar_of_level_.empty()) {
    const auto border = std::ranges::upper_bound(borders_, value);
    return static_cast<std::size_t>(border - borders_.begin());
  }
  return bar_of_level_[std::min(static_cast<std::size_t>(value), bar_of_level_.size() - 1)];
}

double AxisPicture::place_of(double value) const {
  if (bar_of_level_.empty()) return scale_.place_of(value);
  return (static_cast<double>(bar_of(value)) + 0.5) / static_cast<double>(n_bars());
}

std::vector<std::pair<double, double>> AxisPicture::spans_of(const geometry::Part& part) const {
  if (part.is_missing || n_bars() == 0) return {};
  if (!bar_of_level_.empty()) return level_spans(part);
  const auto stretches = part.stretches();
  std::vector<std::pair<double, double>> spans;
  for (const auto& [low, high] : stretches) {
    const double from = std::isinf(low) ? 0 : scale_.place_of(low);
    const double to = std::isinf(high) ? 1 : scale_.place_of(high);
    if (from < to || stretches.size() == 1) spans.emplace_back(from, to);
  }
  return spans;
}

std::vector<std::pair<double, double>> AxisPicture::level_spans(const geometry::Part& part) const {
  // The part of a condition holds codes; the part of all values that are not missing holds any number.
  std::vector<bool> is_held(n_bars(), false);
  for (std::size_t level = 0; level < bar_of_level_.size(); ++level)
    if (part.holds(static_cast<double>(level))) is_held[bar_of_level_[level]] = true;
  std::vector<std::pair<double, double>> spans;
  const auto n = static_cast<double>(n_bars());
  for (std::size_t bar = 0; bar < n_bars(); ++bar) {
    if (!is_held[bar]) continue;
    if (bar > 0 && is_held[bar - 1])
      spans.back().second = static_cast<double>(bar + 1) / n;
    else
      spans.emplace_back(static_cast<double>(bar) / n, static_cast<double>(bar + 1) / n);
  }
  return spans;
}

}  // namespace pidforest::report
