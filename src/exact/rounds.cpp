// SPDX-License-Identifier: Apache-2.0
#include "exact/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <unordered_map>

#include "geometry/logarithm.h"
#include "pidforest/error.h"
#include "system/parallel.h"

namespace pidforest::exact {

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Each round may take this many times the work of the round before, so that starting again costs a seventh.
constexpr std::uint64_t growth = 8;
/// Without a time limit, the steps allowed to evaluate every row once: about a quarter of an hour.
constexpr double most_first_steps = 1e11;

class Rounds {
 public:
  Rounds(const CellTable& table, std::span<const std::size_t> rows, const ExactOptions& options, const Run& run)
      : table_(table), rows_(rows), options_(options), run_(run), number_of_(table.n_combinations(), 0) {
    std::vector<bool> is_asked(table.n_combinations(), false);
    for (const std::size_t row : rows) {
      const std::uint32_t combination = table.combination_of(row);
      if (is_asked[combination]) continue;
      is_asked[combination] = true;
      number_of_[combination] = asked_.size();
      asked_.push_back({.combination = combination, .first_row = row, .found = whole_cube()});
    }
    if (options.seconds) deadline_ = SteadyClock::now() + duration(*options.seconds);
  }

  std::vector<FoundCube> search() {
    if (!options_.seconds) check_size();
    const std::uint64_t most =
        options_.seconds ? std::numeric_limits<std::uint64_t>::max() / growth : options_.max_steps;
    std::uint64_t steps = std::min<std::uint64_t>(most, 64 * table_.n_combinations() * (table_.axes().size() + 1));
    while (true) {
      search_open(steps);
      const std::vector<std::size_t> left = open();
      const bool has_room = std::ranges::any_of(left, [this](auto i) { return !asked_[i].found.is_out_of_room; });
      if (left.empty() || is_over() || (options_.seconds && !has_room)) return by_row();
      if (steps >= most || !has_room) refuse(left);
      steps = std::min(most, steps * growth);
    }
  }

 private:
  struct Asked {
    std::uint32_t combination;
    std::size_t first_row;
    FoundCube found;
  };

  static SteadyClock::duration duration(double seconds) {
    constexpr double longest = 1e9;  // beyond it the clock would overflow
    return std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(std::min(seconds, longest)));
  }

  /// The bounds known without a search: the whole cube holds all rows, and every cube holds at least the row.
  [[nodiscard]] FoundCube whole_cube() const {
    const auto n = static_cast<double>(table_.n_rows());
    return {.bits = 0, .upper_bound = geometry::portable_log2(n), .cube = {}, .n_inside = table_.n_rows()};
  }

  [[nodiscard]] bool is_over() const { return deadline_ && SteadyClock::now() >= *deadline_; }

  /// The rows that are neither settled nor excluded from the answer.
  [[nodiscard]] std::vector<std::size_t> open() const {
    const double least = least_of_interest();
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (!asked_[i].found.is_optimal() && asked_[i].found.upper_bound >= least) open.push_back(i);
    return open;
  }

  /// The bits that at least the requested number of rows reach.
  [[nodiscard]] double least_of_interest() const {
    if (!options_.top || *options_.top >= rows_.size()) return -std::numeric_limits<double>::infinity();
    std::vector<double> bits;
    for (const std::size_t row : rows_) bits.push_back(asked_[number_of_[table_.combination_of(row)]].found.bits);
    const auto last = bits.begin() + static_cast<std::ptrdiff_t>(*options_.top - 1);
    std::ranges::nth_element(bits, last, std::greater());
    return *last;
  }

  void search_open(std::uint64_t steps) {
    const std::vector<std::size_t> numbers = open();
    std::vector<std::unique_ptr<RowSearch>> searches(system::threads_for(run_, numbers.size()));
    const Limit limit{.steps = steps, .is_over = [this] {
                        system::check_cancelled(run_);
                        return is_over();
                      }};
    system::parallel_for(numbers.size(), run_, "searching", [&](std::size_t i, unsigned worker) {
      if (is_over()) return;
      if (!searches[worker]) searches[worker] = make_search(table_);
      Asked& asked = asked_[numbers[i]];
      if (asked.found.is_out_of_room) return;
      take_over(searches[worker]->best_cube(asked.combination, limit), asked.found);
    });
  }

  static void take_over(FoundCube&& found, FoundCube& known) {
    const double upper_bound = std::max(std::min(found.upper_bound, known.upper_bound), found.bits);
    const bool is_out_of_room = found.is_out_of_room;
    if (found.bits > known.bits) known = std::move(found);
    known.upper_bound = std::max(upper_bound, known.bits);
    known.is_out_of_room = is_out_of_room;
  }

  [[noreturn]] void refuse(const std::vector<std::size_t>& left) const {
    const Asked& one = asked_[left.front()];
    throw InvalidInput(fmt::format(
        "{} rows on {} axes are too many for an exact search: row {} lies in about 10^{:.0f} "
        "cubes, and "
        "after {} steps its score is only known to be between {:.2f} and {:.2f} bits; {} of {} rows are undecided. "
        "Exclude columns "
        "or rows, ask for fewer rows or only for the top ones, or set a time limit in seconds to get the "
        "best cubes found by then.",
        table_.n_rows(), table_.axes().size(), one.first_row + 1, log10_cubes(one.combination), options_.max_steps,
        one.found.bits, one.found.upper_bound, left.size(), asked_.size()));
  }

  /// Throws InvalidInput before the search if it would take too long.
  void check_size() const {
    const auto n_values = static_cast<double>(table_.n_combinations() * (table_.axes().size() + 1));
    const double steps = n_values * static_cast<double>(asked_.size());
    if (steps <= most_first_steps) return;
    throw InvalidInput(fmt::format(
        "{} rows on {} axes are too many for an exact search: a first look at {} different "
        "rows takes {:.0e} "
        "steps; the limit is {:.0e}. Ask for at most {:.0f} rows, or for all rows of a table of about {:.0f}, "
        "or set a time "
        "limit in seconds to get the best cubes found by then.",
        table_.n_rows(), table_.axes().size(), asked_.size(), steps, most_first_steps,
        std::floor(most_first_steps / n_values),
        std::floor(std::sqrt(most_first_steps / static_cast<double>(table_.axes().size() + 1)))));
  }

  /// The number of cubes that hold a row; a hierarchy counts as a flat category.
  [[nodiscard]] double log10_cubes(std::uint32_t combination) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < table_.axes().size(); ++axis) {
      const AxisCells& cells = table_.axes()[axis];
      const double n = cells.n_values;
      const double place = table_.cells_of(combination)[axis];
      if (cells.kind == geometry::AxisKind::category)
        sum += n - 1;
      else
        sum += geometry::portable_log2(cells.kind == geometry::AxisKind::cyclic ? n * n / 2 + 1
                                                                                : (place + 1) * (n - place) + 1);
    }
    return sum * std::numbers::ln2 / std::numbers::ln10;
  }

  [[nodiscard]] std::vector<FoundCube> by_row() const {
    std::vector<FoundCube> findings;
    for (const std::size_t row : rows_) findings.push_back(asked_[number_of_[table_.combination_of(row)]].found);
    return findings;
  }

  const CellTable& table_;
  std::span<const std::size_t> rows_;
  const ExactOptions& options_;
  const Run& run_;
  std::optional<SteadyClock::time_point> deadline_;
  /// Each requested combination once, and its place.
  std::vector<Asked> asked_;
  std::vector<std::size_t> number_of_;
};

}  // namespace

std::vector<FoundCube> search_rows(const CellTable& table, std::span<const std::size_t> rows,
                                   const ExactOptions& options, const Run& run) {
  return Rounds(table, rows, options, run).search();
}

}  // namespace pidforest::exact
