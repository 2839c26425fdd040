// SPDX-License-Identifier: Apache-2.0
// The paper's cut rule: every axis offers its best grouping of the node's values, and one axis is chosen by its gain.
// Declared in forest/grow.h.
#include <algorithm>
#include <functional>
#include <vector>

#include "forest/axis_choice.h"
#include "forest/grow.h"
#include "forest/random.h"
#include "forest/sorted_axis.h"
#include "geometry/axis.h"
#include "system/parallel.h"

namespace pidforest::forest {

namespace {

using geometry::Grouping;
using geometry::Interval;
using geometry::Layout;
using geometry::NodeValues;

/// An axis that may be chosen: the upper bound of its key, and its own random draw.
struct Candidate {
  std::uint32_t axis;
  double draw;
  double largest_key;
};

class OptimalCuts final : public CutRule {
 public:
  OptimalCuts(const Sample& sample, const Axes& axes, const GrowSettings& settings)
      : axes_(axes), settings_(settings), options_(*settings.options), k_(static_cast<int>(options_.max_children)) {
    sorted_.reserve(sample.n_axes());
    draws_.resize(sample.n_padded_axes());
    unused_draws_.resize(sample.n_padded_axes());
    for (std::size_t axis = 0; axis < sample.n_axes(); ++axis) sorted_.emplace_back(sample, axis);
  }

  std::optional<AxisSplit> find_split(const GrowingNode& node) override {
    AxisChoice choice(options_.axis_power);
    Grouping chosen;
    for (const Candidate& candidate : candidates(node, choice)) {
      if (settings_.prune && choice.is_made() && candidate.largest_key < choice.best_key()) break;
      lay_out(node, candidate.axis);
      const Grouping grouping = best_grouping(node, candidate.axis);
      const double gain = gain_of(node, candidate.axis, value_of(layout_.cells, grouping));
      if (gain <= 0) continue;
      choice.offer(candidate.axis, choice.key(gain, candidate.draw));
      if (choice.axis() != candidate.axis) continue;
      chosen = grouping;
      std::swap(layout_, chosen_layout_);
    }
    if (!choice.is_made()) return std::nullopt;
    return AxisSplit{choice.axis(),
                     axes_[choice.axis()]->split_by(values(node, choice.axis()), interval(node, choice.axis()),
                                                    chosen_layout_, chosen)};
  }

  [[nodiscard]] std::span<const std::uint32_t> order() const override { return sorted_.front().rows(); }

  void divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) override {
    SortedAxis::divide(sorted_, borders, child_of_row);
  }

 private:
  [[nodiscard]] NodeValues values(const GrowingNode& node, std::uint32_t axis) const {
    return sorted_[axis].values(node.begin, node.end);
  }
  [[nodiscard]] static const Interval& interval(const GrowingNode& node, std::uint32_t axis) {
    return node.cube->interval(axis);
  }

  /// Returns the axes that can be cut, the most promising first. Without bounds they are all equally promising.
  const std::vector<Candidate>& candidates(const GrowingNode& node, const AxisChoice& choice) {
    candidates_.clear();
    uniform_pairs(static_cast<std::uint64_t>(options_.seed),
                  {.purpose = Purpose::cut, .tree = settings_.tree, .node = node.number}, unused_draws_, draws_);
    const bool bounds_pay = settings_.prune && sorted_.size() > 1 && node.end - node.begin >= fewest_rows_to_bound;
    for (std::uint32_t axis = 0; axis < sorted_.size(); ++axis) {
      const auto present = values(node, axis).values;
      const bool is_constant = present.empty() || present.front() == present.back();
      if (is_constant && interval(node, axis).missing_share == 0) continue;
      Candidate candidate{axis, draws_[axis], std::numeric_limits<double>::infinity()};
      if (bounds_pay) {
        lay_out(node, axis);
        const int k = axes_[axis]->groups_to_bound(interval(node, axis), k_);
        const double gain = gain_of(node, axis, value_bound(layout_.cells, k) * (1 + rounding_slack));
        if (gain <= 0) continue;
        candidate.largest_key = choice.key(gain, candidate.draw);
      }
      candidates_.push_back(candidate);
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.largest_key > b.largest_key; });
    return candidates_;
  }

  /// Fills `layout_` with the cells of the node's values.
  void lay_out(const GrowingNode& node, std::uint32_t axis) {
    system::check_cancelled(*settings_.run);
    axes_[axis]->lay_out(values(node, axis), interval(node, axis), layout_);
  }

  /// Returns the best grouping of the cells that were laid out last.
  [[nodiscard]] Grouping best_grouping(const GrowingNode& node, std::uint32_t axis) {
    const std::size_t n = layout_.cells.size();
    if (n == 0) return {};
    if (options_.epsilon && *options_.epsilon > 0) return partition_one_pass(layout_.cells, k_, *options_.epsilon);
    if (!options_.epsilon && n > geometry::one_pass_crossover)
      return partition_one_pass(layout_.cells, k_, automatic_epsilon);
    return axes_[axis]->group(values(node, axis), interval(node, axis), k_, check_cancelled_, layout_);
  }

  /// Returns the gain of a grouping of the cells with this value.
  [[nodiscard]] double gain_of(const GrowingNode& node, std::uint32_t axis, double value) const {
    const double missing_share = interval(node, axis).missing_share;
    const std::size_t present = layout_.cells.size();
    const std::size_t missing = node.end - node.begin - present;
    if (present == 0) return 0;
    const double variance = geometry::gain_with_missing(value, present, missing, missing_share);
    if (options_.axis_gain == AxisGain::variance) return variance;
    const double largest = geometry::gain_with_missing(largest_value(layout_.cells), present, missing, missing_share);
    return largest > smallest_error ? variance / largest : 0;
  }

  /// With fewer rows, finding the best grouping costs no more than bounding it.
  static constexpr std::size_t fewest_rows_to_bound = 8;
  /// Keeps an upper bound valid after rounding.
  static constexpr double rounding_slack = 1e-9;
  /// The guarantee of the one-pass version when it is chosen for speed.
  static constexpr double automatic_epsilon = 0.1;
  /// Cells whose sparsities vary less are evenly spread up to rounding.
  static constexpr double smallest_error = 1e-9;

  const Axes& axes_;
  GrowSettings settings_;
  const Options& options_;
  int k_;
  std::function<void()> check_cancelled_ = [run = settings_.run] { system::check_cancelled(*run); };
  std::vector<SortedAxis> sorted_;
  std::vector<Candidate> candidates_;
  std::vector<double> draws_;
  std::vector<double> unused_draws_;
  Layout layout_;
  Layout chosen_layout_;
};

}  // namespace

std::unique_ptr<CutRule> optimal_cuts(const Sample& sample, const Axes& axes, const GrowSettings& settings) {
  return std::make_unique<OptimalCuts>(sample, axes, settings);
}

}  // namespace pidforest::forest
