// SPDX-License-Identifier: Apache-2.0
#include "arrow/array_part.h"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <utility>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/time.h"

namespace pidforest::arrow {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
static_assert(least == Column::missing_time);

/// True if the elements are aligned for T and their stride is a multiple of its size, so that a `Column` can view them.
template <class T>
bool are_in_place(const Elements& elements) {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  return elements.stride % size == 0 && reinterpret_cast<std::uintptr_t>(elements.first) % alignof(T) == 0;
}

template <class T>
const T* place_of(const Elements& elements, std::size_t row) {
  return reinterpret_cast<const T*>(elements.at(row));
}

void show_numbers(const std::vector<double>& numbers, Column& column) {
  column.first = numbers.data();
  column.stride = 1;
}

/// Reads integers, with the smallest 64-bit integer in place of missing values.
std::span<std::int64_t> read_present(const Elements& elements, const MissingRows& missing, std::size_t begin,
                                     std::size_t end, Scratch& scratch) {
  scratch.times.resize(end - begin);
  read_integers(elements, begin, scratch.times);
  missing.for_each(begin, end, [&](std::size_t i) { scratch.times[i] = least; });
  return scratch.times;
}

struct UnitFacts {
  std::string_view words;
  std::int64_t microseconds;
};

/// Nanoseconds are shorter than a microsecond.
const UnitFacts& facts_of(TimeUnit unit) {
  static constexpr std::array<UnitFacts, 7> facts{{{"days", values::microseconds_per_day},
                                                   {"hours", values::microseconds_per_hour},
                                                   {"minutes", values::microseconds_per_minute},
                                                   {"seconds", values::microseconds_per_second},
                                                   {"milliseconds", 1000},
                                                   {"microseconds", 1},
                                                   {"nanoseconds", 1}}};
  return facts[static_cast<std::size_t>(unit)];
}

void round_down(std::span<std::int64_t> nanoseconds) {
  constexpr std::int64_t n = 1000;
  for (std::int64_t& time : nanoseconds)
    if (time != least) time = time / n - (time % n < 0 ? 1 : 0);
}

void multiply(std::span<std::int64_t> times, TimeUnit unit, const Column& column) {
  const std::int64_t n = facts_of(unit).microseconds;
  const std::int64_t latest = std::numeric_limits<std::int64_t>::max() / n;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == least) continue;
    if (times[i] > latest || times[i] < -latest)
      refuse_row(column, i,
                 fmt::format("must be a time in the years 1 to 9999; got {} {} since 1970. Check the unit of the times",
                             times[i], facts_of(unit).words));
    times[i] *= n;
  }
}

/// The levels as a column, which `scratch` keeps.
const Column& shown_levels(const CodedLevels& levels, Scratch& scratch) {
  if (scratch.levels_of == levels.values.get()) return scratch.levels;
  if (scratch.level_memory == nullptr) scratch.level_memory = std::make_unique<Scratch>();
  scratch.levels = Column{};
  scratch.levels_of = nullptr;
  levels.values->show(0, levels.n, *scratch.level_memory, scratch.levels);
  scratch.levels_of = levels.values.get();
  return scratch.levels;
}

void check_codes(std::span<const std::int64_t> codes, const CodedLevels& levels, const Column& column) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool is_missing = codes[i] == least || (codes[i] < 0 && levels.negative_is_missing);
    const bool is_level = codes[i] >= 0 && static_cast<std::uint64_t>(codes[i]) < levels.n;
    if (!is_missing && !is_level)
      refuse_row(column, i,
                 fmt::format("must be the code of one of {} levels, counted from 0; got {}", levels.n, codes[i]));
  }
}

/// `values` may be the same memory as the codes.
template <class Value, class LevelOf>
void look_up(std::span<const std::int64_t> codes, std::vector<Value>& values, Value missing, const LevelOf& level_of) {
  values.resize(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    values[i] = codes[i] < 0 ? missing : level_of(static_cast<std::size_t>(codes[i]));
}

}  // namespace

void refuse_row(const Column& column, std::size_t i, std::string_view words) {
  throw InvalidInput(
      fmt::format("row {}, column '{}': {}.", column.first_row + i + 1, values::excerpt(column.name), words));
}

void MissingRows::add_validity(const std::uint8_t* bits, std::size_t offset, std::size_t n_rows) {
  const Validity validity{bits, offset};
  std::size_t row = 0;
  while (row < n_rows && validity[row]) ++row;
  if (row < n_rows) validity_[validity_[0].bits == nullptr ? 0 : 1] = validity;
}

ArrayPart part_of_numbers(const Elements& elements, const MissingRows& missing) {
  const bool is_viewed =
      elements.element == ElementType::float64 && missing.are_none() && are_in_place<double>(elements);
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    if (is_viewed) {
      column.first = place_of<double>(elements, begin);
      column.stride = elements.stride / static_cast<std::ptrdiff_t>(sizeof(double));
      return;
    }
    scratch.numbers.resize(end - begin);
    read_numbers(elements, begin, scratch.numbers);
    missing.for_each(begin, end, [&](std::size_t i) { scratch.numbers[i] = nan; });
    show_numbers(scratch.numbers, column);
  };
  const bool are_booleans = elements.element == ElementType::boolean;
  return {.type = are_booleans ? ColumnType::boolean : ColumnType::number, .show = show, .is_viewed = is_viewed};
}

ArrayPart part_of_texts(std::vector<std::string_view> texts) {
  const auto show = [texts = std::move(texts)](std::size_t begin, std::size_t, Scratch&, Column& column) {
    column.texts = texts.data() + begin;
    column.stride = 1;
  };
  return {.type = ColumnType::text, .show = show, .is_viewed = true};
}

ArrayPart part_of_times(const Elements& elements, TimeUnit unit, const MissingRows& missing, bool are_local) {
  const bool is_viewed = unit == TimeUnit::microseconds && elements.element == ElementType::int64 &&
                         missing.are_none() && are_in_place<std::int64_t>(elements);
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    column.are_local = are_local;
    if (is_viewed) {
      column.times = place_of<std::int64_t>(elements, begin);
      column.stride = elements.stride / static_cast<std::ptrdiff_t>(sizeof(std::int64_t));
      return;
    }
    const std::span<std::int64_t> times = read_present(elements, missing, begin, end, scratch);
    if (unit == TimeUnit::nanoseconds)
      round_down(times);
    else
      multiply(times, unit, column);
    column.times = times.data();
    column.stride = 1;
  };
  return {.type = ColumnType::time, .show = show, .is_viewed = is_viewed};
}

Ratio ratio_of_durations(TimeUnit unit) {
  constexpr double nanoseconds_per_second = 1e9;
  if (unit == TimeUnit::nanoseconds) return {.divisor = nanoseconds_per_second};
  const auto microseconds = static_cast<double>(facts_of(unit).microseconds);
  return microseconds < values::microseconds_per_second
             ? Ratio{.divisor = values::microseconds_per_second / microseconds}
             : Ratio{.factor = microseconds / values::microseconds_per_second};
}

ArrayPart part_of_scaled(const Elements& elements, const Ratio& scale, const MissingRows& missing) {
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    const std::span<const std::int64_t> values = read_present(elements, missing, begin, end, scratch);
    scratch.numbers.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      scratch.numbers[i] = values[i] == least ? nan : static_cast<double>(values[i]) * scale.factor / scale.divisor;
    show_numbers(scratch.numbers, column);
  };
  return {.type = ColumnType::number, .show = show};
}

ArrayPart part_of_codes(const Elements& codes, const CodedLevels& levels, const MissingRows& missing) {
  const ColumnType type = levels.values->type;
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    const Column& shown = shown_levels(levels, scratch);
    const std::span<std::int64_t> some = read_present(codes, missing, begin, end, scratch);
    check_codes(some, levels, column);
    column.stride = 1;
    if (type == ColumnType::text) {
      look_up(some, scratch.texts, std::string_view(), [&](std::size_t code) { return shown.text(code); });
      column.texts = scratch.texts.data();
    } else if (type == ColumnType::time) {
      look_up(some, scratch.times, Column::missing_time, [&](std::size_t code) { return shown.time(code); });
      column.times = scratch.times.data();
      column.are_local = shown.are_local;
    } else {
      look_up(some, scratch.numbers, nan, [&](std::size_t code) { return shown.number(code); });
      column.first = scratch.numbers.data();
    }
  };
  return {.type = type, .show = show};
}

}  // namespace pidforest::arrow
