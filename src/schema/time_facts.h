// SPDX-License-Identifier: Apache-2.0
// Facts about the times of a column, from which the zone, the resolution and the derivations of its schema follow.
// Facts about pieces of a column merge in any order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/schema.h"
#include "values/time.h"

namespace pidforest::schema {

/// The derivations that a column of times may get.
inline constexpr std::array<Derivation, 4> cyclic_derivations{Derivation::hour_of_day, Derivation::day_of_week,
                                                              Derivation::month, Derivation::day_of_year};

struct TimeFacts {
  using Cells = std::array<std::int64_t, cyclic_derivations.size()>;
  static constexpr Cells all(std::int64_t cell) { return {cell, cell, cell, cell}; }

  /// In UTC. The first is after the last if there are no times.
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  /// In local time.
  Resolution resolution = Resolution::hour;
  Cells least_cells = all(std::numeric_limits<std::int64_t>::max());
  Cells greatest_cells = all(std::numeric_limits<std::int64_t>::min());

  /// `cells` is the resolution of the cells of the hour of day.
  void add(std::int64_t utc, std::int64_t local, Resolution cells);
  void merge(const TimeFacts& other);

  [[nodiscard]] bool are_empty() const { return first > last; }
  /// The derivations that vary. Months and days of the year need a span of two years.
  [[nodiscard]] std::vector<Derivation> varying() const;
};

/// The zone that the texts of a column are written in.
struct WrittenZone {
  std::string zone = "UTC";
  /// For example "no zone given, so UTC".
  std::string reason;
};

/// Times that are written as texts, in a column whose schema has no zone.
struct WrittenTimes {
  /// The first offset from UTC, in minutes.
  std::optional<int> offset = {};
  bool any_without = false;
  bool offsets_differ = false;
  /// The facts if the zone is the shared offset, so that local time is what the clocks say, and if it is UTC.
  TimeFacts by_clock = {};
  TimeFacts by_utc = {};

  void add(const values::WrittenTime& time, Resolution cells);
  void merge(const WrittenTimes& other);

  /// The offset that all texts share, otherwise UTC.
  [[nodiscard]] WrittenZone zone() const;
  /// In the local time of that zone.
  [[nodiscard]] const TimeFacts& facts() const;

 private:
  [[nodiscard]] bool is_shared() const { return offset && !any_without && !offsets_differ; }
};

/// Fills in the resolution and the derivations if the schema does not have them.
void complete_time(ColumnSchema& schema, const TimeFacts& facts);

}  // namespace pidforest::schema
