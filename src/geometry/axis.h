// SPDX-License-Identifier: Apache-2.0
// The interface of all kinds of axes: splits of an interval into children, and the value of each split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/axis_kind.h"
#include "geometry/even_spread.h"
#include "geometry/interval.h"
#include "geometry/partition.h"

namespace pidforest::geometry {

/// Adjacent levels that go to the same child.
struct Piece {
  CodeRange codes;
  std::uint32_t child = 0;

  bool operator==(const Piece&) const = default;
};

/// A view of a split that maps a value to its child.
/// Ordered: value child i holds the x with cuts[i-1] <= x < cuts[i]; the outer ones are open-ended.
/// Cyclic: as ordered, but the values before the first cut and those after the last form one stretch around the circle.
/// Stretch i is child (i + first) modulo the number of cuts.
/// Category: the child of the piece that has the level, or `first` if no piece has it; pieces are in increasing order.
struct Fork {
  AxisKind kind = AxisKind::ordered;
  std::span<const double> cuts = {};
  std::span<const Piece> pieces = {};
  std::uint32_t first = 0;

  [[nodiscard]] std::uint32_t child_of(double x) const {
    if (kind == AxisKind::category) return child_of_level(x);
    std::uint32_t stretch = 0;
    for (const double cut : cuts) stretch += x >= cut ? 1 : 0;
    return kind == AxisKind::cyclic ? child_of_stretch(stretch) : stretch;
  }
  [[nodiscard]] std::uint32_t child_of_stretch(std::uint32_t stretch) const {
    return (stretch + first) % static_cast<std::uint32_t>(cuts.size());
  }

 private:
  [[nodiscard]] std::uint32_t child_of_level(double x) const {
    const auto piece =
        std::partition_point(pieces.begin(), pieces.end(), [&](const Piece& p) { return p.codes.end <= x; });
    return piece != pieces.end() && piece->codes.begin <= x ? piece->child : first;
  }
};

/// A split of one axis' interval.
struct Split {
  AxisKind kind = AxisKind::ordered;
  std::vector<double> cuts = {};
  std::vector<Piece> pieces = {};
  std::uint32_t first = 0;
  /// Each value child's share of the node's length.
  std::vector<double> shares = {};
  /// The share of the child that holds the missing values; 0 if there is no such child.
  double missing_share = 0;
  /// The intervals of the value children. Empty on ordered axes, where the cuts give them.
  std::vector<Interval> parts = {};

  [[nodiscard]] Fork fork() const { return {kind, cuts, pieces, first}; }
  [[nodiscard]] std::size_t n_children() const { return shares.size() + (missing_share > 0 ? 1 : 0); }
  /// The part of `whole` that value child i holds.
  [[nodiscard]] Interval part_of(const Interval& whole, std::size_t i) const {
    if (!parts.empty()) return parts[i];
    return {.low = i == 0 ? whole.low : cuts[i - 1], .high = i < cuts.size() ? cuts[i] : whole.high};
  }
};

/// The variance of sparsity after a split into children of length share p and row share q, in units of the node's own
/// sparsity squared, is the sum of these terms minus 1.
inline double gain_term(double p, double q) { return p * p / q; }

/// The value p^2 / q summed over all children minus 1, from the same sum over the value children. A side without sample
/// rows is left out, as a margin is.
double gain_with_missing(double value, std::size_t present, std::size_t missing, double missing_share);

/// A split into two children: all values, and the missing values.
Split split_off_missing(const Interval& interval);
/// Adds a child for the missing values if they have a length, and shortens the other children by it.
void set_aside_missing(Split& split, const Interval& interval);

/// The values of a node's sample rows on an axis.
struct NodeValues {
  /// The values that are not missing: in increasing order for optimal cuts, in the order of rows for sampled cuts.
  std::span<const double> values = {};
  /// Their rows, which break ties: numbers of rows do not change when levels are renamed or circles turned.
  std::span<const std::uint32_t> rows = {};
  std::size_t n_missing = 0;
};

/// A level or branch that has values: their number, and the place of the first.
struct SeenBranch {
  CodeRange codes;
  std::size_t count = 0;
  std::size_t first_value = 0;
};

/// The values of a node, prepared once by the axis for all cuts that are drawn.
struct Shown {
  NodeValues node = {};
  /// Cyclic: how far the values lie after the beginning of the interval; for a whole circle after the first row's
  /// value, and in increasing order.
  std::vector<double> distances = {};
  /// For a whole circle: the places among the distances at which the shortest arcs that hold all values begin, usually
  /// one, and the values there.
  std::vector<std::size_t> arc_places = {};
  std::vector<double> arc_begins = {};
  /// Category: the coarsest branches of the interval that tell the values apart, in the order of their first rows.
  std::vector<SeenBranch> branches = {};
};

/// The random numbers of a sampled cut, all from 0 up to but not including 1.
struct Draws {
  double cut = 0;
  /// As many as Axis::n_order_draws says.
  std::span<const double> order = {};
};

/// The gain that a sampled cut offers.
struct SampledOffer {
  /// The variance of sparsity over the part of the interval that has values; 0 if the gate rejects the cut.
  double gain = 0;
  /// False if the missing values are the stronger evidence; then only they are separated.
  bool cuts_values = true;
};

/// The two sides of a sampled cut, without regard to missing values.
struct SampledSides {
  /// p^2 / q summed over the two sides; 1 if there is nothing to cut.
  double value = 1;
  /// The likelihood ratio of the counts of the two sides against an even spread.
  double evidence = 0;
  bool can_be_cut = false;
};

/// The sides of a cut that separates the margin, which is the part of the interval without values. The `n` values lie
/// on `seen_share` of the length; an even spread would leave `expected` such parts empty, on average.
SampledSides sides_of_margin(std::size_t n, double seen_share, double expected);
/// The probability that n values of an even spread all lie on `share` of the length.
double chance_of_all(std::size_t n, double share);

/// The offer of a sampled cut. Missing values count as separate evidence.
SampledOffer offer_of(const SampledSides& sides, std::size_t present, std::size_t missing, double missing_share,
                      const Gate& gate);

/// The values of a node as cells, with the data that turns a grouping of the cells into a split.
struct Layout {
  Cells cells = {};
  /// Cyclic: the place where the circle or arc was opened, and the values as seen from there.
  double origin = 0;
  std::vector<double> unrolled = {};
  /// Category: the levels or branches of the cells, one after the other, and the places of the units where they begin.
  std::vector<CodeRange> branches = {};
  std::vector<std::size_t> first_unit = {};
};

class Axis {
 public:
  Axis() = default;
  Axis(const Axis&) = delete;
  Axis& operator=(const Axis&) = delete;
  virtual ~Axis() = default;

  [[nodiscard]] virtual AxisKind kind() const = 0;
  /// Whether the axis is ordered without cells. The sampled cuts of all such axes are drawn and counted together,
  /// by `sampled_cut`, instead of by the functions below.
  [[nodiscard]] virtual bool is_just_numbers() const { return false; }

  /// Optimal cuts: lays out the node's values as cells.
  virtual void lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const = 0;
  /// A number of groups such that the best grouping of the laid-out cells into that many is worth at least as much as
  /// any split of the axis into k: k itself, except on axes that may be opened at another place.
  [[nodiscard]] virtual int groups_to_bound(const Interval& /*interval*/, int k) const { return k; }
  /// The best grouping of the cells into at most k. May lay out the cells again. Calls `check_cancelled` regularly; an
  /// exception from it ends the search.
  [[nodiscard]] virtual Grouping group(const NodeValues& /*sorted*/, const Interval& /*interval*/, int k,
                                       const std::function<void()>& check_cancelled, Layout& layout) const {
    return partition(layout.cells, k, check_cancelled);
  }
  /// The children of a grouping of the cells.
  [[nodiscard]] virtual Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                                       const Grouping& grouping) const = 0;

  /// Sampled cuts: prepares the values of a node.
  virtual void show(const NodeValues& values, const Interval& /*interval*/, Shown& shown) const { shown.node = values; }
  /// The number of random numbers that a cut needs in addition to its place.
  [[nodiscard]] virtual std::size_t n_order_draws(const Shown& /*shown*/) const { return 0; }
  /// The sides of one drawn cut.
  [[nodiscard]] virtual SampledSides sides_of(const Shown& shown, const Interval& interval,
                                              const Draws& draws) const = 0;
  /// The children of that cut. The margin, the part without values, is a separate child.
  [[nodiscard]] virtual Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const = 0;
};

}  // namespace pidforest::geometry
