// SPDX-License-Identifier: Apache-2.0
// The default cut rule: every axis draws one cut within the range of the node's values; cuts that an even spread
// explains are refused; one of the others is drawn.
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
using geometry::ValueRange;

class SampledCuts final : public CutRule {
 public:
  SampledCuts(const Sample& sample, const GrowSettings& settings)
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
  }

  std::optional<AxisSplit> find_split(const GrowingNode& node) override {
    const auto rows = order().subspan(node.begin, node.end - node.begin);
    find_ranges(sample_, rows, ranges_);
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      draw_cuts(node, round);
      count_below(sample_, rows, cuts_, below_);
      if (auto split = choose(node)) return split;
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
  [[nodiscard]] ValueRange range(const GrowingNode& node, std::size_t axis) const {
    const auto present = static_cast<std::size_t>(ranges_.present[axis]);
    return {ranges_.least[axis], ranges_.largest[axis], present, node.end - node.begin - present};
  }

  void draw_cuts(const GrowingNode& node, std::uint32_t round) {
    uniform_pairs(static_cast<std::uint64_t>(options_.seed),
                  {.purpose = Purpose::cut, .tree = tree_, .node = node.number, .axis = 0, .round = round}, cuts_,
                  gumbel_uniforms_);
    for (std::size_t axis = 0; axis < sample_.n_axes(); ++axis) {
      const ValueRange values = range(node, axis);
      if (values.can_be_cut()) cuts_[axis] = geometry::sampled_cut(values, cuts_[axis]);
    }
  }

  [[nodiscard]] geometry::SampledOffer offer(const GrowingNode& node, std::uint32_t axis) const {
    return geometry::offer_of_cut(range(node, axis), node.cube->interval(axis).missing_share, cuts_[axis],
                                  static_cast<std::size_t>(below_[axis]), gate_);
  }

  [[nodiscard]] std::optional<AxisSplit> choose(const GrowingNode& node) const {
    AxisChoice choice(options_.axis_power);
    for (std::uint32_t axis = 0; axis < sample_.n_axes(); ++axis) {
      const double gain = offer(node, axis).gain;
      if (gain > 0) choice.offer(axis, choice.key(gain, gumbel_uniforms_[axis]));
    }
    if (!choice.is_made()) return std::nullopt;
    const Interval& interval = node.cube->interval(choice.axis());
    if (!offer(node, choice.axis()).cuts_values) return AxisSplit{choice.axis(), geometry::split_off_missing(interval)};
    return AxisSplit{choice.axis(), geometry::split_at(interval, range(node, choice.axis()), cuts_[choice.axis()])};
  }

  const Sample& sample_;
  const Options& options_;
  std::uint32_t tree_;
  geometry::Gate gate_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> divided_;
  AxisRanges ranges_;
  std::vector<double> cuts_;
  std::vector<double> below_;
  std::vector<double> gumbel_uniforms_;
};

}  // namespace

std::unique_ptr<CutRule> sampled_cuts(const Sample& sample, const GrowSettings& settings) {
  return std::make_unique<SampledCuts>(sample, settings);
}

}  // namespace pidforest::forest
