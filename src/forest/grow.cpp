// SPDX-License-Identifier: Apache-2.0
#include "forest/grow.h"

#include <algorithm>
#include <cmath>

#include "system/parallel.h"

namespace pidforest::forest {

namespace {

using geometry::Cube;
using geometry::Interval;
using geometry::Split;

std::size_t smallest_split_rows(const Options& options, std::size_t n_sample) {
  if (options.min_node_rows) return static_cast<std::size_t>(*options.min_node_rows);
  return std::clamp<std::size_t>(n_sample / 4, 1, 16);
}

class Grower {
 public:
  Grower(const Sample& sample, const Axes& axes, const std::vector<Interval>& root, const GrowSettings& settings)
      : sample_(sample),
        settings_(settings),
        smallest_split_rows_(smallest_split_rows(*settings.options, sample.n_rows())),
        rule_(settings.options->cuts == Cuts::sampled ? sampled_cuts(sample, axes, root, settings)
                                                      : optimal_cuts(sample, axes, settings)),
        cube_(root),
        child_of_row_(sample.n_rows()) {}

  Tree grow() {
    add_node(0.0);
    fit(0, 0, sample_.n_rows(), 0);
    return std::move(tree_);
  }

 private:
  /// The paper's Fit: splits the node on the axis chosen by the variance of sparsity, then fits its children.
  void fit(std::uint32_t node, std::size_t begin, std::size_t end, std::int64_t depth) {
    system::check_cancelled(*settings_.run);
    if (!may_split(end - begin, depth)) return;
    const auto found = rule_->find_split({node, begin, end, &cube_});
    if (!found) return;
    const auto [axis, split] = *found;

    const std::uint32_t first_child = add_children(node, axis, split);
    const std::vector<std::size_t> borders = divide(begin, end, axis, split, depth + 1);
    const Interval whole = cube_.interval(axis);
    for (std::uint32_t i = 0; i < split.n_children(); ++i) {
      const bool is_missing = i == split.shares.size();
      const Interval part = is_missing ? Interval{whole.low, whole.high} : split.part_of(whole, i);
      const auto before = cube_.narrow(axis, part, is_missing ? split.missing_share : split.shares[i]);
      tree_.log2_volumes[first_child + i] = cube_.log2_volume();
      fit(first_child + i, borders[i], borders[i + 1], depth + 1);
      cube_.put_back(before);
    }
  }

  [[nodiscard]] bool may_split(std::size_t n_rows, std::int64_t depth) const {
    return depth < settings_.options->max_depth && n_rows > smallest_split_rows_ && sample_.n_axes() > 0;
  }

  std::uint32_t add_node(double log2_volume) {
    tree_.nodes.emplace_back();
    tree_.log2_volumes.push_back(log2_volume);
    return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  }

  std::uint32_t add_children(std::uint32_t node, std::uint32_t axis, const Split& split) {
    const auto first_child = static_cast<std::uint32_t>(tree_.nodes.size());
    const bool is_category = split.kind == geometry::AxisKind::category;
    tree_.nodes[node] = {.first_child = first_child,
                         .first_cut = static_cast<std::uint32_t>(is_category ? tree_.pieces.size() : tree_.cuts.size()),
                         .n_cuts = static_cast<std::uint32_t>(is_category ? split.pieces.size() : split.cuts.size()),
                         .axis = axis,
                         .kind = split.kind,
                         .n_value_children = static_cast<std::uint8_t>(split.shares.size()),
                         .fork_first = static_cast<std::uint8_t>(split.first),
                         .has_missing_child = split.missing_share > 0};
    tree_.cuts.insert(tree_.cuts.end(), split.cuts.begin(), split.cuts.end());
    tree_.pieces.insert(tree_.pieces.end(), split.pieces.begin(), split.pieces.end());
    for (std::size_t i = 0; i < split.n_children(); ++i) add_node(0.0);
    return first_child;
  }

  /// Reorders the node's rows by child, unless all children will be leaves. Returns the position where each child's
  /// rows begin, and the end.
  std::vector<std::size_t> divide(std::size_t begin, std::size_t end, std::uint32_t axis, const Split& split,
                                  std::int64_t child_depth) {
    std::vector<std::size_t> borders(split.n_children() + 1, 0);
    const geometry::Fork fork = split.fork();
    for (const std::uint32_t row : rule_->order().subspan(begin, end - begin)) {
      const double x = sample_.value(row, axis);
      child_of_row_[row] = static_cast<std::uint8_t>(std::isnan(x) ? split.shares.size() : fork.child_of(x));
      ++borders[child_of_row_[row] + 1];
    }
    const std::size_t largest_child = *std::max_element(borders.begin(), borders.end());
    borders[0] = begin;
    for (std::size_t i = 1; i < borders.size(); ++i) borders[i] += borders[i - 1];
    if (may_split(largest_child, child_depth)) rule_->divide(borders, child_of_row_);
    return borders;
  }

  const Sample& sample_;
  GrowSettings settings_;
  std::size_t smallest_split_rows_;
  std::unique_ptr<CutRule> rule_;
  Cube cube_;
  std::vector<std::uint8_t> child_of_row_;
  Tree tree_;
};

}  // namespace

Tree grow(const Sample& sample, const Axes& axes, const std::vector<Interval>& root, const GrowSettings& settings) {
  return Grower(sample, axes, root, settings).grow();
}

}  // namespace pidforest::forest
