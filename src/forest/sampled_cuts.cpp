// SPDX-License-Identifier: Apache-2.0
// The default cut rule: every axis draws one cut within the range of the node's values. Cuts that an even spread
// explains are rejected; one of the others is drawn.
// Declared in forest/grow.h.
#include <cmath>
#include <numeric>
#include <vector>

#include "forest/axis_choice.h"
#include "forest/divide.h"
#include "forest/grow.h"
#include "forest/random.h"
#include "geometry/ordered_axis.h"

namespace pidforest::forest {

namespace {

using geometry::Interval;
using geometry::SampledOffer;
using geometry::ValueRange;

/// An axis that is not purely numeric, and the node's values on it.
struct OtherAxis {
  std::uint32_t number = 0;
  const geometry::Axis* axis = nullptr;
  std::vector<double> values = {};
  std::vector<std::uint32_t> rows = {};
  geometry::Shown shown = {};
  SampledOffer offer = {};
};

class SampledCuts final : public CutRule {
 public:
  SampledCuts(const Sample& sample, const Axes& axes, const GrowSettings& settings)
      : sample_(sample),
        options_(*settings.options),
        tree_(settings.tree),
        gate_(options_.gate),
        order_(sample.n_rows()),
        divided_(sample.n_rows()),
        cuts_(sample.stride()),
        below_(sample.stride()),
        gumbel_uniforms_(sample.stride()) {
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::uint32_t axis = 0; axis < sample.n_axes(); ++axis)
      if (axes[axis]->is_just_numbers())
        numbers_.push_back(axis);
      else
        others_.push_back({.number = axis, .axis = axes[axis].get()});
  }

  std::optional<AxisSplit> find_split(const GrowingNode& node) override {
    const auto rows = order().subspan(node.begin, node.end - node.begin);
    find_ranges(sample_, rows, ranges_);
    for (OtherAxis& other : others_) show(node, rows, other);
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      draw_cuts(node, round);
      count_below(sample_, rows, cuts_, below_);
      for (OtherAxis& other : others_) other.offer = offer_of_other(node, round, other);
      if (auto split = choose(node, round)) return split;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::span<const std::uint32_t> order() const override { return order_; }

  void divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) override {
    PlacesByChild places(borders);
    for (std::size_t i = borders.front(); i < borders.back(); ++i)
      divided_[places.next(child_of_row[order_[i]])] = order_[i];
    copy_range<std::uint32_t>(divided_, borders, order_);
  }

 private:
  void show(const GrowingNode& node, std::span<const std::uint32_t> rows, OtherAxis& other) const {
    other.values.resize(rows.size());
    other.rows.resize(rows.size());
    std::size_t n = 0;
    for (const std::uint32_t row : rows) {
      other.values[n] = sample_.value(row, other.number);
      other.rows[n] = row;
      n += std::isnan(other.values[n]) ? 0 : 1;
    }
    other.values.resize(n);
    other.rows.resize(n);
    other.axis->show({other.values, other.rows, rows.size() - other.values.size()}, node.cube->interval(other.number),
                     other.shown);
  }

  [[nodiscard]] ValueRange range(const GrowingNode& node, std::size_t axis) const {
    const auto present = static_cast<std::size_t>(ranges_.present[axis]);
    return {ranges_.least[axis], ranges_.largest[axis], present, node.end - node.begin - present};
  }

  /// Draws two numbers per axis: one for the cut, and one for the choice among axes.
  void draw_cuts(const GrowingNode& node, std::uint32_t round) {
    uniform_pairs(seed(), {.purpose = Purpose::cut, .tree = tree_, .node = node.number, .axis = 0, .round = round},
                  cuts_, gumbel_uniforms_);
    for (const std::uint32_t axis : numbers_) {
      const ValueRange values = range(node, axis);
      if (values.can_be_cut()) cuts_[axis] = geometry::sampled_cut(values, cuts_[axis]);
    }
  }

  /// The draws for an axis that is not purely numeric; valid until the next call.
  [[nodiscard]] geometry::Draws draws(const GrowingNode& node, std::uint32_t round, const OtherAxis& other) {
    constexpr std::size_t whole_vectors = Sample::lanes_at_most;
    order_draws_.resize((other.axis->n_order_draws(other.shown) + whole_vectors - 1) / whole_vectors * whole_vectors);
    unused_.resize(order_draws_.size());
    if (!order_draws_.empty())
      uniform_pairs(seed(),
                    {.purpose = Purpose::order,
                     .tree = tree_,
                     .node = node.number,
                     .round = other.number * static_cast<std::uint32_t>(options_.rounds) + round},
                    order_draws_, unused_);
    return {.cut = cuts_[other.number], .order = order_draws_};
  }

  [[nodiscard]] SampledOffer offer_of_other(const GrowingNode& node, std::uint32_t round, const OtherAxis& other) {
    const Interval& interval = node.cube->interval(other.number);
    const auto sides = other.axis->sides_of(other.shown, interval, draws(node, round, other));
    return geometry::offer_of(sides, other.values.size(), other.shown.node.n_missing, interval.missing_share, gate_);
  }

  [[nodiscard]] SampledOffer offer_of_numbers(const GrowingNode& node, std::uint32_t axis) const {
    return geometry::offer_of_cut(range(node, axis), node.cube->interval(axis).missing_share, cuts_[axis],
                                  static_cast<std::size_t>(below_[axis]), gate_);
  }

  [[nodiscard]] std::optional<AxisSplit> choose(const GrowingNode& node, std::uint32_t round) {
    AxisChoice choice(options_.axis_power);
    const auto offer = [&](std::uint32_t axis, double gain) {
      if (gain > 0) choice.offer(axis, choice.key(gain, gumbel_uniforms_[axis]));
    };
    for (const std::uint32_t axis : numbers_) offer(axis, offer_of_numbers(node, axis).gain);
    for (const OtherAxis& other : others_) offer(other.number, other.offer.gain);
    if (!choice.is_made()) return std::nullopt;
    return AxisSplit{choice.axis(), split_of(node, round, choice.axis())};
  }

  /// Returns the split that the chosen axis offered.
  [[nodiscard]] geometry::Split split_of(const GrowingNode& node, std::uint32_t round, std::uint32_t axis) {
    const Interval& interval = node.cube->interval(axis);
    for (const OtherAxis& other : others_)
      if (other.number == axis)
        return other.offer.cuts_values ? other.axis->split_at(other.shown, interval, draws(node, round, other))
                                       : geometry::split_off_missing(interval);
    return offer_of_numbers(node, axis).cuts_values ? geometry::split_at(interval, range(node, axis), cuts_[axis])
                                                    : geometry::split_off_missing(interval);
  }

  [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(options_.seed); }

  const Sample& sample_;
  const Options& options_;
  std::uint32_t tree_;
  geometry::Gate gate_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> divided_;
  /// The purely numeric axes, which are processed side by side in the lanes of vectors.
  std::vector<std::uint32_t> numbers_;
  std::vector<OtherAxis> others_;
  AxisRanges ranges_;
  std::vector<double> cuts_;
  std::vector<double> below_;
  std::vector<double> gumbel_uniforms_;
  std::vector<double> order_draws_;
  std::vector<double> unused_;
};

}  // namespace

std::unique_ptr<CutRule> sampled_cuts(const Sample& sample, const Axes& axes, const GrowSettings& settings) {
  return std::make_unique<SampledCuts>(sample, axes, settings);
}

}  // namespace pidforest::forest
