// SPDX-License-Identifier: Apache-2.0
// How often incidents would open at each level of bits, and which level keeps a budget.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pidforest::incidents {

/// Levels are a quarter of a bit apart.
inline constexpr std::size_t n_levels = 192;
/// The bits of a level; a score is on the highest level that it reaches.
double bits_of_level(std::size_t level);
/// The number of levels that a score reaches; 0 for one below all of them.
std::size_t levels_reached(double bits);

/// The largest share of the events that a budget lets pass.
inline constexpr double largest_share = 0.05;

/// Decaying counts of events and of the incidents that they would open, by level.
class AlertRates {
 public:
  explicit AlertRates(double alerts_per_day) : alerts_per_day_(alerts_per_day) {}

  /// Lets time pass up to an event. A time without events counts as one day at most.
  void pass(std::int64_t time);
  /// Counts an event that reaches `reached` levels. It would open an incident on those from `first_opened` on.
  void count(std::size_t reached, std::size_t first_opened);
  /// Counts an incident that has opened.
  void open() { state_.n_opened += 1; }
  /// The bits of the lowest level that keeps the budget; infinite if none does, and nullopt before the first count.
  [[nodiscard]] std::optional<double> limit() const;
  /// Whether less than a day has been seen.
  [[nodiscard]] bool is_first_day() const { return state_.days_seen < 1; }

  struct State {
    bool has_time = false;
    std::int64_t last_time = 0;
    /// All days, without decay and up to 1.
    double days_seen = 0;
    double days = 0;
    double days_since_decay = 0;
    double n_events = 0;
    double n_opened = 0;
    /// Events on each level, and the incidents that would open there.
    std::array<double, n_levels> events{};
    std::array<double, n_levels> openings{};

    bool operator==(const State&) const = default;
  };
  [[nodiscard]] const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  void decay();

  double alerts_per_day_;
  State state_;
};

}  // namespace pidforest::incidents
