// SPDX-License-Identifier: Apache-2.0
// The paper's cut rule: every axis offers its best grouping of the node's values, and one axis is chosen by what it gains.
#include <algorithm>
#include <vector>

#include "forest/axis_choice.h"
#include "forest/grow.h"
#include "forest/parallel.h"
#include "forest/random.h"
#include "forest/row_order.h"
#include "geometry/ordered_axis.h"

namespace pidforest::forest {

namespace {

using geometry::Cells;
using geometry::Grouping;
using geometry::Interval;
using geometry::ValueRange;

/// An axis that may be chosen: the largest key that it can have.
struct Candidate {
  std::uint32_t axis;
  double largest_key;
};

class OptimalCuts final : public CutRule {
 public:
  OptimalCuts(const Sample& sample, const GrowSettings& settings)
      : sample_(sample), settings_(settings), options_(*settings.options) {
    for (std::size_t axis = 0; axis < sample.n_axes(); ++axis) orders_.push_back(sorted_by(axis));
    if (orders_.empty()) orders_.emplace_back(sample.n_rows());
  }

  std::optional<AxisSplit> find_split(const GrowingNode& node) override {
    AxisChoice choice(options_.axis_power);
    Grouping chosen;
    for (const Candidate& candidate : candidates(node, choice)) {
      if (settings_.prune && choice.is_made() && candidate.largest_key < choice.best_key()) break;
      lay_out(node, candidate.axis);
      const Grouping grouping = best_grouping();
      const double gain = gain_of(node, candidate.axis, value_of(cells_, grouping));
      if (gain <= 0) continue;
      choice.offer(candidate.axis, choice.key(gain, draw(node, candidate.axis)));
      if (choice.axis() == candidate.axis) chosen = grouping;
    }
    if (!choice.is_made()) return std::nullopt;
    lay_out(node, choice.axis());
    return AxisSplit{choice.axis(), geometry::split_by(values_, node.cube->interval(choice.axis()), chosen)};
  }

  [[nodiscard]] std::span<const std::uint32_t> order() const override { return orders_[0].rows(); }

  void divide(std::size_t begin, std::size_t end, std::span<const std::uint32_t> child_of_row,
              std::size_t n_children) override {
    for (RowOrder& order : orders_) order.divide(begin, end, child_of_row, n_children);
  }

 private:
  /// The rows by value, the missing ones last.
  RowOrder sorted_by(std::size_t axis) {
    std::vector<std::pair<double, std::uint32_t>> keyed;
    std::vector<std::uint32_t> missing;
    for (std::uint32_t row = 0; row < sample_.n_rows(); ++row) {
      const double x = sample_.value(row, axis);
      if (x == x)
        keyed.emplace_back(x, row);
      else
        missing.push_back(row);
    }
    std::sort(keyed.begin(), keyed.end());
    RowOrder order(sample_.n_rows());
    auto out = order.rows().begin();
    for (const auto& [x, row] : keyed) *out++ = row;
    std::copy(missing.begin(), missing.end(), out);
    return order;
  }

  [[nodiscard]] std::span<const std::uint32_t> rows_by(const GrowingNode& node, std::uint32_t axis) const {
    return orders_[axis].rows().subspan(node.begin, node.end - node.begin);
  }

  /// The axes that have something to cut, the most promising first. Without pruning, all of them count the same.
  const std::vector<Candidate>& candidates(const GrowingNode& node, const AxisChoice& choice) {
    candidates_.clear();
    const bool bounds_pay = settings_.prune && sample_.n_axes() > 1 && node.end - node.begin >= fewest_rows_to_bound;
    for (std::uint32_t axis = 0; axis < sample_.n_axes(); ++axis) {
      const auto rows = rows_by(node, axis);
      const bool is_constant = !(sample_.value(rows.front(), axis) < sample_.value(last_present(rows, axis), axis));
      if (is_constant && node.cube->interval(axis).missing_share == 0) continue;
      candidates_.push_back({axis, std::numeric_limits<double>::infinity()});
      if (!bounds_pay) continue;
      check_cancelled(*settings_.run);
      lay_out(node, axis);
      // The exact gain is taken from borders rounded to floats; a little slack keeps the bound a bound.
      const double bound = upper_bound(cells_, static_cast<int>(options_.max_children)) * (1 + 1e-6);
      candidates_.back().largest_key = choice.key(gain_of(node, axis, bound), draw(node, axis));
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.largest_key > b.largest_key; });
    return candidates_;
  }

  [[nodiscard]] std::uint32_t last_present(std::span<const std::uint32_t> rows, std::uint32_t axis) const {
    if (!sample_.has_missing()) return rows.back();
    return rows[std::max<std::size_t>(n_present(rows, axis), 1) - 1];
  }

  [[nodiscard]] std::size_t n_present(std::span<const std::uint32_t> rows, std::uint32_t axis) const {
    if (!sample_.has_missing()) return rows.size();
    const auto end = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t row) {
      const double x = sample_.value(row, axis);
      return x == x;
    });
    return static_cast<std::size_t>(end - rows.begin());
  }

  /// Fills `values_` with the present values in increasing order, and `cells_` with their cells.
  void lay_out(const GrowingNode& node, std::uint32_t axis) {
    const auto rows = rows_by(node, axis);
    values_.clear();
    for (const std::uint32_t row : rows.first(n_present(rows, axis))) values_.push_back(sample_.value(row, axis));
    geometry::lay_out_cells(values_, node.cube->interval(axis), cells_);
    n_missing_ = rows.size() - values_.size();
  }

  [[nodiscard]] Grouping best_grouping() const {
    const int k = static_cast<int>(options_.max_children);
    if (cells_.size() == 0) return {};
    if (options_.epsilon > 0) return partition_one_pass(cells_, k, options_.epsilon);
    if (options_.epsilon < 0 && cells_.size() > geometry::one_pass_crossover)
      return partition_one_pass(cells_, k, automatic_epsilon);
    return partition(cells_, k);
  }

  /// What a grouping of the cells that is worth `value` gains.
  [[nodiscard]] double gain_of(const GrowingNode& node, std::uint32_t axis, double value) const {
    const double missing_share = node.cube->interval(axis).missing_share;
    const ValueRange range{.present = values_.size(), .missing = n_missing_};
    if (range.present == 0) return 0;
    const double variance = gain_with_missing(value, range, missing_share);
    if (options_.axis_gain == AxisGain::variance) return variance;
    const double largest = gain_with_missing(largest_value(cells_), range, missing_share);
    return largest > smallest_error ? variance / largest : 0;
  }

  [[nodiscard]] double draw(const GrowingNode& node, std::uint32_t axis) const {
    return uniform_pair(static_cast<std::uint64_t>(options_.seed),
                        {.purpose = Purpose::cut, .tree = settings_.tree, .node = node.number, .axis = axis})
        .second;
  }

  /// Below this the best grouping costs no more than a bound on it.
  static constexpr std::size_t fewest_rows_to_bound = 40;
  /// The guarantee that the one-pass version gives where it is chosen for its speed.
  static constexpr double automatic_epsilon = 0.1;
  /// Cells whose sparsities vary less than this are evenly spread but for rounding.
  static constexpr double smallest_error = 1e-9;

  const Sample& sample_;
  GrowSettings settings_;
  const Options& options_;
  std::vector<RowOrder> orders_;
  std::vector<Candidate> candidates_;
  std::vector<double> values_;
  std::size_t n_missing_ = 0;
  Cells cells_;
};

}  // namespace

std::unique_ptr<CutRule> optimal_cuts(const Sample& sample, const GrowSettings& settings) {
  return std::make_unique<OptimalCuts>(sample, settings);
}

}  // namespace pidforest::forest
