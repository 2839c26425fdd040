// SPDX-License-Identifier: Apache-2.0
// The default cut rule: every axis of the tree's view draws one cut within the range of the node's values. Cuts that an
// even spread explains are rejected; one of the others is drawn.
// Declared in forest/grow.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

#include "forest/axis_choice.h"
#include "forest/divide.h"
#include "forest/grow.h"
#include "forest/random.h"
#include "geometry/logarithm.h"
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
  SampledCuts(const Sample& sample, const Axes& axes, std::span<const Interval> root, const GrowSettings& settings)
      : sample_(sample),
        root_(root),
        options_(*settings.options),
        tree_(settings.tree),
        order_(sample.n_rows()),
        divided_(sample.n_rows()),
        gate_(settings.options->gate),
        cuts_(sample),
        gumbel_uniforms_(sample.n_padded_axes()),
        key_bounds_(sample.n_padded_axes()),
        axes_(axes),
        relations_(settings.relations) {
    std::iota(order_.begin(), order_.end(), 0U);
    const Relations none;
    const RelatedView view =
        view_of_tree(relations_ == nullptr ? none : *relations_, sample.n_axes(), options_, {tree_, settings.turn});
    is_related_ = view.is_related;
    look_at(view.axes);
  }

  std::optional<AxisSplit> find_split(const GrowingNode& node) override {
    const auto rows = order().subspan(node.begin, node.end - node.begin);
    for (OtherAxis& other : others_) show(node, rows, other);
    const bool is_related_root = is_related_ && node.number == 0;
    const geometry::Gate gate = is_related_root ? gate_of_related_root() : gate_;
    std::optional<AxisSplit> split;
    for (std::uint32_t round = 0; round < options_.rounds && !split; ++round) {
      draw(node, round);
      cut_groups(sample_, rows, groups_, round > 0, cuts_);
      for (OtherAxis& other : others_) other.offer = offer_of_other(node, round, other, gate);
      split = choose(node, round, gate);
    }
    if (!split && is_related_root) split = cut_any_axis(node);
    if (!split && is_related_) split = split_off_margins(node);
    if (split && is_related_root) look_at_relatives(split->axis);
    return split;
  }

  [[nodiscard]] std::span<const std::uint32_t> order() const override { return order_; }

  void divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) override {
    PlacesByChild places(borders);
    for (std::size_t i = borders.front(); i < borders.back(); ++i)
      divided_[places.next(child_of_row[order_[i]])] = order_[i];
    copy_range<std::uint32_t>(divided_, borders, order_);
  }

 private:
  /// Offers only these axes from now on.
  void look_at(std::span<const std::uint32_t> view) {
    numbers_.clear();
    others_.clear();
    for (const std::uint32_t axis : view)
      if (axes_[axis]->is_just_numbers())
        numbers_.push_back(axis);
      else
        others_.push_back({.number = axis, .axis = axes_[axis].get()});
    const auto has_missing = [&](std::uint32_t axis) { return root_[axis].missing_share > 0; };
    std::vector<std::uint32_t> complete;
    incomplete_.clear();
    std::ranges::partition_copy(numbers_, std::back_inserter(incomplete_), std::back_inserter(complete), has_missing);
    drawn_.clear();
    for (const LaneGroup& group : lane_groups(view)) {
      if (drawn_.empty() || drawn_.back().first + drawn_.back().n != group.first) drawn_.push_back({group.first});
      drawn_.back().n += Sample::lanes_at_most;
    }
    groups_ = lane_groups(numbers_);
    complete_groups_ = lane_groups(complete);
  }

  void look_at_relatives(std::uint32_t axis) {
    std::vector<std::uint32_t> view = relations_->relatives(axis);
    view.insert(std::ranges::lower_bound(view, axis), axis);
    look_at(view);
  }

  /// Related axes are often even by themselves. Their best cut by chance must not keep the tree from the other ones.
  [[nodiscard]] geometry::Gate gate_of_related_root() const {
    const std::size_t n_axes = numbers_.size() + others_.size();
    const auto n_cuts = static_cast<double>(n_axes * static_cast<std::size_t>(options_.rounds));
    return geometry::Gate(options_.gate + 2 * geometry::portable_log(n_cuts));
  }

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
    const auto present = static_cast<std::size_t>(cuts_.ranges.present[axis]);
    return {cuts_.ranges.least[axis], cuts_.ranges.largest[axis], present, node.end - node.begin - present};
  }

  /// Draws two numbers per axis: one for the cut, and one for the choice among axes.
  void draw(const GrowingNode& node, std::uint32_t round) {
    for (const AdjacentAxes& axes : drawn_)
      uniform_pairs(
          seed(), {.purpose = Purpose::cut, .tree = tree_, .node = node.number, .axis = axes.first, .round = round},
          std::span(cuts_.shares).subspan(axes.first, axes.n), std::span(gumbel_uniforms_).subspan(axes.first, axes.n));
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
    return {.cut = cuts_.shares[other.number], .order = order_draws_};
  }

  [[nodiscard]] SampledOffer offer_of_other(const GrowingNode& node, std::uint32_t round, const OtherAxis& other,
                                            const geometry::Gate& gate) {
    const Interval& interval = node.cube->interval(other.number);
    const auto sides = other.axis->sides_of(other.shown, interval, draws(node, round, other));
    return geometry::offer_of(sides, other.values.size(), other.shown.node.n_missing, interval.missing_share, gate);
  }

  [[nodiscard]] SampledOffer offer_of_numbers(const GrowingNode& node, std::uint32_t axis,
                                              const geometry::Gate& gate) const {
    return geometry::offer_of_cut(range(node, axis), node.cube->interval(axis).missing_share, cuts_.cuts[axis],
                                  static_cast<std::size_t>(cuts_.below[axis]), gate);
  }

  [[nodiscard]] std::optional<AxisSplit> choose(const GrowingNode& node, std::uint32_t round,
                                                const geometry::Gate& gate) {
    AxisChoice choice(options_.axis_power);
    const auto offer = [&](std::uint32_t axis, double gain) {
      if (gain > 0) choice.offer(axis, choice.key(gain, gumbel_uniforms_[axis]));
    };
    uneven_ = complete_groups_;
    drop_even(cuts_.ranges, cuts_.cuts, cuts_.below, gate.one, uneven_);
    bound_keys(cuts_, uneven_, gumbel_uniforms_, options_.axis_power, key_bounds_);
    for (const LaneGroup& group : uneven_)
      for (unsigned left = group.axes; left != 0; left &= left - 1) {
        const auto axis = group.first + static_cast<std::uint32_t>(std::countr_zero(left));
        if (key_bounds_[axis] < choice.best_key()) continue;
        offer(axis, offer_of_numbers(node, axis, gate).gain);
      }
    for (const std::uint32_t axis : incomplete_) offer(axis, offer_of_numbers(node, axis, gate).gain);
    for (const OtherAxis& other : others_) offer(other.number, other.offer.gain);
    if (!choice.is_made()) return std::nullopt;
    return AxisSplit{choice.axis(), split_of(node, round, choice.axis(), gate)};
  }

  /// A cut of an axis that is drawn uniformly, whatever the evidence for it.
  [[nodiscard]] std::optional<AxisSplit> cut_any_axis(const GrowingNode& node) {
    const auto round = static_cast<std::uint32_t>(options_.rounds);
    draw(node, round);
    place_cuts(cuts_.ranges, groups_, cuts_.shares, cuts_.cuts);
    AxisChoice choice(0);
    for (const std::uint32_t axis : numbers_)
      if (range(node, axis).can_be_cut()) choice.offer(axis, choice.key(1, gumbel_uniforms_[axis]));
    for (const OtherAxis& other : others_)
      if (other.axis->sides_of(other.shown, node.cube->interval(other.number), draws(node, round, other)).can_be_cut)
        choice.offer(other.number, choice.key(1, gumbel_uniforms_[other.number]));
    if (!choice.is_made()) return std::nullopt;
    const Interval& interval = node.cube->interval(choice.axis());
    const auto other = std::ranges::find(others_, choice.axis(), &OtherAxis::number);
    if (other != others_.end())
      return AxisSplit{other->number, other->axis->split_at(other->shown, interval, draws(node, round, *other))};
    return AxisSplit{choice.axis(),
                     geometry::split_at(interval, range(node, choice.axis()), cuts_.cuts[choice.axis()])};
  }

  /// Separates the empty margins of the axis on which they are the strongest evidence, if they are enough.
  [[nodiscard]] std::optional<AxisSplit> split_off_margins(const GrowingNode& node) const {
    constexpr double least_evidence = 9.5;
    double most = least_evidence;
    std::optional<std::uint32_t> best;
    for (const std::uint32_t axis : numbers_) {
      const double evidence = geometry::margin_evidence(node.cube->interval(axis), range(node, axis));
      if (evidence <= most) continue;
      most = evidence;
      best = axis;
    }
    if (!best) return std::nullopt;
    return AxisSplit{*best, geometry::split_off_margins(node.cube->interval(*best), range(node, *best))};
  }

  /// Returns the split that the chosen axis offered.
  [[nodiscard]] geometry::Split split_of(const GrowingNode& node, std::uint32_t round, std::uint32_t axis,
                                         const geometry::Gate& gate) {
    const Interval& interval = node.cube->interval(axis);
    for (const OtherAxis& other : others_)
      if (other.number == axis)
        return other.offer.cuts_values ? other.axis->split_at(other.shown, interval, draws(node, round, other))
                                       : geometry::split_off_missing(interval);
    return offer_of_numbers(node, axis, gate).cuts_values
               ? geometry::split_at(interval, range(node, axis), cuts_.cuts[axis])
               : geometry::split_off_missing(interval);
  }

  [[nodiscard]] std::uint64_t seed() const { return static_cast<std::uint64_t>(options_.seed); }

  const Sample& sample_;
  std::span<const Interval> root_;
  const Options& options_;
  std::uint32_t tree_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> divided_;
  /// The purely numeric axes, which are processed side by side in the lanes of vectors.
  std::vector<std::uint32_t> numbers_;
  std::vector<OtherAxis> others_;
  /// The purely numeric axes that have a length for missing values.
  std::vector<std::uint32_t> incomplete_;
  /// Adjacent groups of lanes with axes that are looked at.
  struct AdjacentAxes {
    std::uint32_t first = 0;
    std::uint32_t n = 0;
  };
  std::vector<AdjacentAxes> drawn_;
  /// The groups of the purely numeric axes, and of these without `incomplete_`.
  std::vector<LaneGroup> groups_;
  std::vector<LaneGroup> complete_groups_;
  /// The groups with the axes whose cuts may be above the gate.
  std::vector<LaneGroup> uneven_;
  geometry::Gate gate_;
  SampleCuts cuts_;
  std::vector<double> gumbel_uniforms_;
  std::vector<double> key_bounds_;
  const Axes& axes_;
  const Relations* relations_;
  bool is_related_ = false;
  std::vector<double> order_draws_;
  std::vector<double> unused_;
};

}  // namespace

std::unique_ptr<CutRule> sampled_cuts(const Sample& sample, const Axes& axes, std::span<const Interval> root,
                                      const GrowSettings& settings) {
  return std::make_unique<SampledCuts>(sample, axes, root, settings);
}

}  // namespace pidforest::forest
