// SPDX-License-Identifier: Apache-2.0
#include "incidents/kept_budget.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "incidents/alert_rates.h"
#include "values/time.h"

namespace pidforest::incidents {

namespace {

/// Counts the incidents of anomalies that come in any order.
class IncidentCount {
 public:
  explicit IncidentCount(std::span<const std::int64_t> cool_downs)
      : cool_downs_(cool_downs), of_key_(cool_downs.size()) {}

  void add(std::uint32_t key, std::int64_t time) {
    auto& times = of_key_[key];
    const auto next = times.lower_bound(time);
    const bool has_before = next != times.begin();
    const bool has_after = next != times.end();
    const auto joins = [&](std::int64_t from, std::int64_t to) { return to - from <= cool_downs_[key]; };
    ++n_;
    if (has_before && joins(*std::prev(next), time)) --n_;
    if (has_after && joins(time, *next)) --n_;
    if (has_before && has_after && joins(*std::prev(next), *next)) ++n_;
    times.insert(next, time);
  }
  [[nodiscard]] std::int64_t n() const { return n_; }

 private:
  std::span<const std::int64_t> cool_downs_;
  std::vector<std::multiset<std::int64_t>> of_key_;
  std::int64_t n_ = 0;
};

double limit_of(const ScoredRows& rows, std::vector<std::uint64_t> some, double most_incidents) {
  if (some.empty()) return std::numeric_limits<double>::infinity();
  std::ranges::stable_sort(some, std::ranges::greater{}, [&](std::uint64_t row) { return rows.bits[row]; });
  const double most_rows = std::max(1.0, std::floor(largest_share * static_cast<double>(some.size())));
  IncidentCount count(rows.cool_downs);
  double limit = std::nextafter(rows.bits[some.front()], std::numeric_limits<double>::infinity());
  for (std::size_t begin = 0, end = 0; begin < some.size(); begin = end) {
    const double bits = rows.bits[some[begin]];
    while (end < some.size() && rows.bits[some[end]] == bits) {
      count.add(rows.key_of[some[end]], rows.times[some[end]]);
      ++end;
    }
    if (static_cast<double>(count.n()) > most_incidents || static_cast<double>(end) > most_rows) break;
    limit = bits;
  }
  return limit;
}

}  // namespace

std::vector<double> limits_in_budget(const ScoredRows& rows, const IncidentOptions& options) {
  const std::size_t n_keys = rows.cool_downs.size();
  if (rows.order.empty()) return std::vector<double>(n_keys, std::numeric_limits<double>::infinity());
  const double days =
      (static_cast<double>(rows.times[rows.order.back()]) - static_cast<double>(rows.times[rows.order.front()])) /
      static_cast<double>(values::microseconds_per_day);
  const double most = std::max(1.0, std::floor(days * options.alerts_per_day.value_or(0)));
  std::vector<std::vector<std::uint64_t>> groups(options.is_budget_per_key ? n_keys : 1);
  for (const std::uint64_t row : rows.order) {
    if (std::isnan(rows.bits[row]) || (!rows.suppressed.empty() && rows.suppressed[row])) continue;
    groups[options.is_budget_per_key ? rows.key_of[row] : 0].push_back(row);
  }
  std::vector<double> limits;
  for (std::vector<std::uint64_t>& group : groups) limits.push_back(limit_of(rows, std::move(group), most));
  limits.resize(n_keys, limits.front());
  return limits;
}

}  // namespace pidforest::incidents
