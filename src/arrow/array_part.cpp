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

/// Reads integers, with the smallest 64-bit integer in place of missing values.
std::span<std::int64_t> read_present(const Elements& elements, const MissingRows& missing, std::size_t begin,
                                     std::size_t end, Scratch& scratch) {
  scratch.times.resize(end - begin);
  read_integers(elements, begin, scratch.times);
  missing.for_each(begin, end, [&](std::size_t i) { scratch.times[i] = least; });
  return scratch.times;
}

class NumberPart : public ArrayPart {
 public:
  NumberPart(const Elements& elements, const MissingRows& missing) : elements_(elements), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override {
    return elements_.element == ElementType::boolean ? ColumnType::boolean : ColumnType::number;
  }
  [[nodiscard]] bool is_viewed() const override {
    return elements_.element == ElementType::float64 && missing_.are_none() && are_in_place<double>(elements_);
  }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    if (is_viewed()) {
      column.first = place_of<double>(elements_, begin);
      column.stride = elements_.stride / static_cast<std::ptrdiff_t>(sizeof(double));
      return;
    }
    scratch.numbers.resize(end - begin);
    read_numbers(elements_, begin, scratch.numbers);
    missing_.for_each(begin, end, [&](std::size_t i) { scratch.numbers[i] = nan; });
    column.first = scratch.numbers.data();
    column.stride = 1;
  }

 private:
  Elements elements_;
  MissingRows missing_;
};

class ScaledPart : public ArrayPart {
 public:
  ScaledPart(const Elements& elements, const Ratio& scale, const MissingRows& missing)
      : elements_(elements), scale_(scale), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::number; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    const std::span<const std::int64_t> values = read_present(elements_, missing_, begin, end, scratch);
    scratch.numbers.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      scratch.numbers[i] = values[i] == least ? nan : static_cast<double>(values[i]) * scale_.factor / scale_.divisor;
    column.first = scratch.numbers.data();
    column.stride = 1;
  }

 private:
  Elements elements_;
  Ratio scale_;
  MissingRows missing_;
};

class TextPart : public ArrayPart {
 public:
  explicit TextPart(std::vector<std::string_view> texts) : texts_(std::move(texts)) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::text; }
  [[nodiscard]] bool is_viewed() const override { return true; }
  void show(std::size_t begin, std::size_t /*end*/, Scratch& /*scratch*/, Column& column) const override {
    column.texts = texts_.data() + begin;
    column.stride = 1;
  }

 private:
  std::vector<std::string_view> texts_;
};

std::int64_t microseconds_per(TimeUnit unit) {
  constexpr std::int64_t second = values::microseconds_per_second;
  switch (unit) {
    case TimeUnit::days:
      return 86'400 * second;
    case TimeUnit::hours:
      return 3600 * second;
    case TimeUnit::minutes:
      return 60 * second;
    case TimeUnit::seconds:
      return second;
    case TimeUnit::milliseconds:
      return 1000;
    default:
      return 1;
  }
}

std::string_view words_of(TimeUnit unit) {
  constexpr std::array<std::string_view, 7> words{"days",         "hours",        "minutes",    "seconds",
                                                  "milliseconds", "microseconds", "nanoseconds"};
  return words[static_cast<std::size_t>(unit)];
}

class TimePart : public ArrayPart {
 public:
  TimePart(const Elements& elements, TimeUnit unit, const MissingRows& missing, bool are_local)
      : elements_(elements), unit_(unit), missing_(missing), are_local_(are_local) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::time; }
  [[nodiscard]] bool is_viewed() const override {
    return unit_ == TimeUnit::microseconds && elements_.element == ElementType::int64 && missing_.are_none() &&
           are_in_place<std::int64_t>(elements_);
  }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    column.are_local = are_local_;
    if (is_viewed()) {
      column.times = place_of<std::int64_t>(elements_, begin);
      column.stride = elements_.stride / static_cast<std::ptrdiff_t>(sizeof(std::int64_t));
      return;
    }
    const std::span<std::int64_t> times = read_present(elements_, missing_, begin, end, scratch);
    if (unit_ == TimeUnit::nanoseconds)
      round_down(times);
    else
      multiply(times, column);
    column.times = times.data();
    column.stride = 1;
  }

 private:
  static void round_down(std::span<std::int64_t> times) {
    constexpr std::int64_t n = 1000;
    for (std::int64_t& time : times)
      if (time != least) time = time / n - (time % n < 0 ? 1 : 0);
  }
  void multiply(std::span<std::int64_t> times, const Column& column) const {
    const std::int64_t n = microseconds_per(unit_);
    const std::int64_t latest = std::numeric_limits<std::int64_t>::max() / n;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i] == least) continue;
      if (times[i] > latest || times[i] < -latest) refuse_time(times[i], column, i);
      times[i] *= n;
    }
  }
  [[noreturn]] void refuse_time(std::int64_t time, const Column& column, std::size_t i) const {
    throw InvalidInput(
        fmt::format("row {}, column '{}': must be a time in the years 1 to 9999; got {} {} since 1970. "
                    "Check the unit of the times.",
                    column.first_row + i + 1, values::excerpt(column.name), time, words_of(unit_)));
  }

  Elements elements_;
  TimeUnit unit_;
  MissingRows missing_;
  bool are_local_;
};

class CodePart : public ArrayPart {
 public:
  CodePart(const Elements& codes, CodedLevels levels, const MissingRows& missing)
      : codes_(codes), levels_(std::move(levels)), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return levels_.values->type(); }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_levels(scratch);
    const std::span<std::int64_t> codes = read_present(codes_, missing_, begin, end, scratch);
    check(codes, column);
    const Column& levels = scratch.levels;
    column.stride = 1;
    if (type() == ColumnType::text) {
      look_up(codes, scratch.texts, std::string_view(), [&](std::size_t code) { return levels.text(code); });
      column.texts = scratch.texts.data();
    } else if (type() == ColumnType::time) {
      look_up(codes, scratch.times, Column::missing_time, [&](std::size_t code) { return levels.time(code); });
      column.times = scratch.times.data();
      column.are_local = levels.are_local;
    } else {
      look_up(codes, scratch.numbers, nan, [&](std::size_t code) { return levels.number(code); });
      column.first = scratch.numbers.data();
    }
  }

 private:
  void show_levels(Scratch& scratch) const {
    if (scratch.levels_of == levels_.values.get()) return;
    if (scratch.level_memory == nullptr) scratch.level_memory = std::make_unique<Scratch>();
    scratch.levels = Column{};
    scratch.levels_of = nullptr;
    levels_.values->show(0, levels_.n, *scratch.level_memory, scratch.levels);
    scratch.levels_of = levels_.values.get();
  }
  void check(std::span<const std::int64_t> codes, const Column& column) const {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const bool is_missing = codes[i] == least || (codes[i] < 0 && levels_.negative_is_missing);
      const bool is_level = codes[i] >= 0 && static_cast<std::uint64_t>(codes[i]) < levels_.n;
      if (!is_missing && !is_level)
        throw InvalidInput(
            fmt::format("row {}, column '{}': must be the code of one of {} levels, counted from 0; got {}.",
                        column.first_row + i + 1, values::excerpt(column.name), levels_.n, codes[i]));
    }
  }
  /// `values` may be the same memory as the codes.
  template <class Value, class LevelOf>
  static void look_up(std::span<const std::int64_t> codes, std::vector<Value>& values, Value missing,
                      const LevelOf& level_of) {
    values.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i)
      values[i] = codes[i] < 0 ? missing : level_of(static_cast<std::size_t>(codes[i]));
  }

  Elements codes_;
  CodedLevels levels_;
  MissingRows missing_;
};

}  // namespace

void MissingRows::add_validity(const std::uint8_t* bits, std::size_t offset, std::size_t n_rows) {
  const Validity validity{bits, offset};
  std::size_t row = 0;
  while (row < n_rows && validity[row]) ++row;
  if (row < n_rows) validity_[validity_[0].bits == nullptr ? 0 : 1] = validity;
}

OwnedPart part_of_numbers(const Elements& elements, const MissingRows& missing) {
  return std::make_unique<NumberPart>(elements, missing);
}

OwnedPart part_of_texts(std::vector<std::string_view> texts) { return std::make_unique<TextPart>(std::move(texts)); }

OwnedPart part_of_times(const Elements& elements, TimeUnit unit, const MissingRows& missing, bool are_local) {
  return std::make_unique<TimePart>(elements, unit, missing, are_local);
}

Ratio ratio_of_durations(TimeUnit unit) {
  constexpr double nanoseconds_per_second = 1e9;
  if (unit == TimeUnit::nanoseconds) return {.divisor = nanoseconds_per_second};
  const auto microseconds = static_cast<double>(microseconds_per(unit));
  return microseconds < values::microseconds_per_second
             ? Ratio{.divisor = values::microseconds_per_second / microseconds}
             : Ratio{.factor = microseconds / values::microseconds_per_second};
}

OwnedPart part_of_scaled(const Elements& elements, const Ratio& scale, const MissingRows& missing) {
  return std::make_unique<ScaledPart>(elements, scale, missing);
}

OwnedPart part_of_codes(const Elements& codes, CodedLevels levels, const MissingRows& missing) {
  return std::make_unique<CodePart>(codes, std::move(levels), missing);
}

}  // namespace pidforest::arrow
