// SPDX-License-Identifier: Apache-2.0
// The paper's cut rule: every axis offers its best grouping of the node's values, and one axis is chosen by what it
// gains.
#include <algorithm>
#include <vector>

#include "forest/axis_choice.h"
#include "forest/grow.h"
#include "forest/parallel.h"
#include "forest/random.h"
#include "forest/sorted_axis.h"
#include "geometry/ordered_axis.h"

namespace pidforest::forest {

namespace {

using geometry::Cells;
using geometry::Grouping;
using geometry::ValueRange;

/// An axis that may be chosen: the largest key that it can have, and its own random draw.
struct Candidate {
  std::uint32_t axis;
  double draw;
  double largest_key;
};

class OptimalCuts final : public CutRule {
 public:
  OptimalCuts(const Sample& sample, const GrowSettings& settings)
      : settings_(settings), options_(*settings.options), k_(static_cast<int>(options_.max_children)) {
    axes_.reserve(sample.n_axes());
    draws_.resize(sample.stride());
    unused_draws_.resize(sample.stride());
    for (std::size_t axis = 0; axis < sample.n_axes(); ++axis) axes_.emplace_back(sample, axis);
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
      choice.offer(candidate.axis, choice.key(gain, candidate.draw));
      if (choice.axis() == candidate.axis) chosen = grouping;
    }
    if (!choice.is_made()) return std::nullopt;
    const auto values = axes_[choice.axis()].present(node.begin, node.end);
    return AxisSplit{choice.axis(), geometry::split_by(values, node.cube->interval(choice.axis()), chosen)};
  }

  [[nodiscard]] std::span<const std::uint32_t> order() const override { return axes_.front().rows(); }

  void divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) override {
    SortedAxis::divide(axes_, borders, child_of_row);
  }

 private:
  /// The axes that have something to cut, the most promising first. Without bounds all of them promise the same.
  const std::vector<Candidate>& candidates(const GrowingNode& node, const AxisChoice& choice) {
    candidates_.clear();
    uniform_pairs(static_cast<std::uint64_t>(options_.seed),
                  {.purpose = Purpose::cut, .tree = settings_.tree, .node = node.number}, unused_draws_, draws_);
    const bool bounds_pay = settings_.prune && axes_.size() > 1 && node.end - node.begin >= fewest_rows_to_bound;
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
      const auto values = axes_[axis].present(node.begin, node.end);
      const bool is_constant = values.empty() || values.front() == values.back();
      if (is_constant && node.cube->interval(axis).missing_share == 0) continue;
      Candidate candidate{axis, draws_[axis], std::numeric_limits<double>::infinity()};
      if (bounds_pay) {
        lay_out(node, axis);
        const double gain = gain_of(node, axis, upper_bound(cells_, k_) * (1 + rounding_slack));
        if (gain <= 0) continue;
        candidate.largest_key = choice.key(gain, candidate.draw);
      }
      candidates_.push_back(candidate);
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.largest_key > b.largest_key; });
    return candidates_;
  }

  /// Fills `cells_` with the cells of the node's values.
  void lay_out(const GrowingNode& node, std::uint32_t axis) {
    check_cancelled(*settings_.run);
    geometry::lay_out_cells(axes_[axis].present(node.begin, node.end), node.cube->interval(axis), cells_);
  }

  [[nodiscard]] Grouping best_grouping() const {
    if (cells_.size() == 0) return {};
    if (options_.epsilon > 0) return partition_one_pass(cells_, k_, options_.epsilon);
    if (options_.epsilon < 0 && cells_.size() > geometry::one_pass_crossover)
      return partition_one_pass(cells_, k_, automatic_epsilon);
    return partition(cells_, k_, [this] { check_cancelled(*settings_.run); });
  }

  /// What a grouping of the cells that is worth `value` gains.
  [[nodiscard]] double gain_of(const GrowingNode& node, std::uint32_t axis, double value) const {
    const double missing_share = node.cube->interval(axis).missing_share;
    const ValueRange range{.present = cells_.size(), .missing = node.end - node.begin - cells_.size()};
    if (range.present == 0) return 0;
    const double variance = gain_with_missing(value, range, missing_share);
    if (options_.axis_gain == AxisGain::variance) return variance;
    const double largest = gain_with_missing(largest_value(cells_), range, missing_share);
    return largest > smallest_error ? variance / largest : 0;
  }

  /// Below this the best grouping costs no more than a bound on it.
  static constexpr std::size_t fewest_rows_to_bound = 8;
  /// Keeps a bound a bound after rounding.
  static constexpr double rounding_slack = 1e-9;
  /// The guarantee that the one-pass version gives where it is chosen for its speed.
  static constexpr double automatic_epsilon = 0.1;
  /// Cells whose sparsities vary less than this are evenly spread but for rounding.
  static constexpr double smallest_error = 1e-9;

  GrowSettings settings_;
  const Options& options_;
  int k_;
  std::vector<SortedAxis> axes_;
  std::vector<Candidate> candidates_;
  std::vector<double> draws_;
  std::vector<double> unused_draws_;
  Cells cells_;
};

}  // namespace

std::unique_ptr<CutRule> optimal_cuts(const Sample& sample, const GrowSettings& settings) {
  return std::make_unique<OptimalCuts>(sample, settings);
}

}  // namespace pidforest::forest
