// SPDX-License-Identifier: Apache-2.0
#include "reasons/simplify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "reasons/node_parts.h"
#include "geometry/logarithm.h"

namespace pidforest::reasons {

using geometry::Interval;
using geometry::Part;
using geometry::Parts;
using geometry::portable_log2;

namespace {

/// All subsets of this many bounds are tried. If there are more bounds, those with the most bits alone are kept.
constexpr std::size_t most_bounds = 10;

/// One bound of a part: the low or the high end of a range, or the whole part if it is not a range.
struct Bound {
  Part part;
  /// For each sample row, 1 if it lies outside, else 0.
  std::vector<std::uint8_t> outside = {};
  /// What its length and price add to the worth of a subset.
  double length_worth = 0;
  /// Its bits alone.
  double bits = 0;
};

/// A range by both of its bounds.
Part joined(const Part& low, const Part& high) {
  return {.axis = low.axis, .kind = low.kind, .low = low.low, .high = high.high};
}

class TreeSimplifier {
 public:
  TreeSimplifier(const forest::Tree& tree, std::span<const Interval> root, const forest::Rows& sample)
      : tree_(tree), root_(root), sample_(sample), parts_(node_parts(tree)), bounds_of_node_(tree.nodes.size()) {
    log2_count_.push_back(-1);  // no row counts as half a row
    for (std::size_t n = 1; n <= sample.n; ++n) log2_count_.push_back(portable_log2(static_cast<double>(n)));
  }

  LeafWitness simplify(std::uint32_t leaf) {
    Numbers bounds;
    for (const Part& part : parts_[leaf])
      for (const Part& bound : bounds_of(part)) bounds.push_back(number_of(bound, {}));
    return best_subset(without_too_many(bounds));
  }

  std::vector<LeafWitness> simplify_all() {
    std::vector<LeafWitness> witnesses(tree_.nodes.size());
    for (std::uint32_t v = 0; v < tree_.nodes.size(); ++v) {
      const forest::Node& node = tree_.nodes[v];
      if (node.is_leaf()) witnesses[v] = best_subset(without_too_many(bounds_of_node_[v]));
      for (std::uint32_t i = 0; i < node.n_children() && !node.is_leaf(); ++i)
        find_bounds(v, node.first_child + i, node.axis);
    }
    return witnesses;
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  /// A child has the bounds of its parent, except on the axis of the cut.
  void find_bounds(std::uint32_t parent, std::uint32_t child, std::uint32_t axis) {
    Numbers before;
    Numbers& own = bounds_of_node_[child];
    for (const std::uint32_t bound : bounds_of_node_[parent])
      (bounds_[bound].part.axis == axis ? before : own).push_back(bound);
    const auto part = std::ranges::find(parts_[child], axis, &Part::axis);
    for (const Part& bound : bounds_of(*part)) own.push_back(number_of(bound, before));
  }

  /// The number of a bound. A bound that the parent also has is not evaluated again.
  std::uint32_t number_of(const Part& part, const Numbers& before) {
    for (const std::uint32_t bound : before)
      if (bounds_[bound].part == part) return bound;
    Bound bound{.part = part, .outside = rows_outside(part)};
    const auto n_outside = static_cast<std::size_t>(std::ranges::count(bound.outside, 1));
    const double log2_share = portable_log2(share_of(part, root_[part.axis]));
    bound.length_worth = log2_share - price_of_column - price_of_bound;
    bound.bits = log2_share + log2_count_[sample_.n] - log2_count_[sample_.n - n_outside];
    bounds_.push_back(std::move(bound));
    return static_cast<std::uint32_t>(bounds_.size() - 1);
  }

  [[nodiscard]] std::vector<std::uint8_t> rows_outside(const Part& part) const {
    std::vector<std::uint8_t> outside(sample_.n);
    const forest::StridedColumn column = sample_.columns[part.axis];
    const auto set = [&](auto holds) {
      for (std::size_t row = 0; row < sample_.n; ++row) outside[row] = holds(column[row]) ? 0 : 1;
    };
    const auto stretches = part.stretches();
    const geometry::Stretch first = stretches.empty() ? geometry::Stretch{} : stretches.front();
    // Most bounds are one end of a range, which takes one comparison.
    if (stretches.size() == 1 && std::isinf(first.high))
      set([low = first.low](double x) { return x >= low; });
    else if (stretches.size() == 1 && std::isinf(first.low))
      set([high = first.high](double x) { return x < high; });
    else
      set([&](double x) { return part.holds(x); });
    return outside;
  }

  [[nodiscard]] Numbers without_too_many(Numbers bounds) const {
    if (bounds.size() > most_bounds) {
      std::ranges::stable_sort(bounds, std::ranges::greater{}, [&](std::uint32_t b) { return bounds_[b].bits; });
      bounds.resize(most_bounds);
    }
    // The two bounds of a range are adjacent, the low one first.
    std::ranges::sort(bounds, {}, [&](std::uint32_t b) {
      return std::pair(bounds_[b].part.axis, std::isfinite(bounds_[b].part.high));
    });
    return bounds;
  }

  LeafWitness best_subset(const Numbers& bounds) {
    count_subsets(bounds);
    length_worths_.assign(counts_.size(), 0.0);
    std::size_t best = 0;
    double worth = 0;
    for (std::size_t subset = 1; subset < counts_.size(); ++subset) {
      add_length_worth(bounds, subset);
      const double its = length_worths_[subset] + log2_count_[sample_.n] - log2_count_[counts_[subset]];
      if (its > worth) std::tie(best, worth) = std::pair(subset, its);
    }
    return {parts_of(bounds, best), worth};
  }

  /// Sets counts_[s] to the number of sample rows inside all bounds of subset s.
  void count_subsets(const Numbers& bounds) {
    outside_.assign(sample_.n, 0);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const std::uint8_t* outside = bounds_[bounds[i]].outside.data();
      for (std::size_t row = 0; row < sample_.n; ++row)
        outside_[row] = static_cast<std::uint16_t>(outside_[row] | outside[row] << i);
    }
    // Counts rows first by the exact set of bounds that they are outside of, then by supersets of it: a row outside at
    // most the set s is inside all other bounds.
    counts_.assign(std::size_t{1} << bounds.size(), 0);
    for (const std::uint16_t outside : outside_) ++counts_[outside];
    for (std::size_t bit = 1; bit < counts_.size(); bit *= 2)
      for (std::size_t s = 0; s < counts_.size(); ++s)
        if ((s & bit) != 0) counts_[s] += counts_[s ^ bit];
    std::ranges::reverse(counts_);
  }

  void add_length_worth(const Numbers& bounds, std::size_t subset) {
    const auto last = static_cast<std::size_t>(std::bit_width(subset)) - 1;
    const std::size_t rest = subset ^ (std::size_t{1} << last);
    const Bound& bound = bounds_[bounds[last]];
    const bool is_pair =
        last > 0 && (rest >> (last - 1) & 1U) != 0 && bounds_[bounds[last - 1]].part.axis == bound.part.axis;
    if (!is_pair) {
      length_worths_[subset] = length_worths_[rest] + bound.length_worth;
      return;
    }
    const Part range = joined(bounds_[bounds[last - 1]].part, bound.part);
    length_worths_[subset] = length_worths_[rest ^ (std::size_t{1} << (last - 1))] +
                             portable_log2(share_of(range, root_[range.axis])) - price_of_column - 2 * price_of_bound;
  }

  [[nodiscard]] Parts parts_of(const Numbers& bounds, std::size_t subset) const {
    Parts parts;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      const Part& part = bounds_[bounds[i]].part;
      if (!parts.empty() && parts.back().axis == part.axis)
        parts.back() = joined(parts.back(), part);
      else
        parts.push_back(part);
    }
    return parts;
  }

  const forest::Tree& tree_;
  std::span<const Interval> root_;
  const forest::Rows& sample_;
  std::vector<Parts> parts_;
  std::vector<Bound> bounds_;
  std::vector<Numbers> bounds_of_node_;
  std::vector<double> log2_count_;
  std::vector<std::uint16_t> outside_;
  std::vector<std::uint32_t> counts_;
  std::vector<double> length_worths_;
};

}  // namespace

LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample) {
  return TreeSimplifier(tree, root, sample).simplify(leaf);
}

std::vector<LeafWitness> simplify_leaves(const forest::Tree& tree, std::span<const Interval> root,
                                         const forest::Rows& sample) {
  return TreeSimplifier(tree, root, sample).simplify_all();
}

}  // namespace pidforest::reasons
