// SPDX-License-Identifier: Apache-2.0
// What every kind of axis offers a node: a split of its interval into children, and how much the split is worth.
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

/// Levels side by side that go to the same child.
struct Piece {
  CodeRange codes;
  std::uint32_t child = 0;

  bool operator==(const Piece&) const = default;
};

/// How a value finds its child, as a view.
/// Ordered: value child i holds the x with cuts[i-1] <= x < cuts[i]; the outer ones are open-ended.
/// Cyclic: the same, but what is before the first cut and what is after the last are one stretch around the circle;
/// stretch i is child i + first, counted around the number of cuts.
/// Category: the child of the piece that has the level, and `first` if none has it; pieces are in increasing order.
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
  /// The value children's intervals; left out where the cuts say them, on ordered axes.
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

/// The values as one child and the missing ones as the other.
Split split_off_missing(const Interval& interval);
/// Takes the length of the missing values, if they have any, from the children and gives it to one of their own.
void set_aside_missing(Split& split, const Interval& interval);

/// What a node's sample rows have on an axis.
struct NodeValues {
  /// Those that are not missing; increasing where an optimal cut is asked for, by row where a sampled one is.
  std::span<const double> values = {};
  /// Their rows, which break ties: numbers of rows do not change when levels are renamed or circles turned.
  std::span<const std::uint32_t> rows = {};
  std::size_t n_missing = 0;
};

/// A level or branch that shows values: how many, and which of them comes first.
struct SeenBranch {
  CodeRange codes;
  std::size_t count = 0;
  std::size_t first_value = 0;
};

/// What an axis makes of a node's values once, for all cuts that are drawn of them.
struct Shown {
  NodeValues node = {};
  /// Cyclic: how far the values lie after the beginning of the interval; for a whole circle after the first row's
  /// value, and in increasing order.
  std::vector<double> distances = {};
  /// For a whole circle: the places among the distances at which the shortest arcs that hold all values begin, one as a
  /// rule, and the values there.
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

/// What a sampled cut offers.
struct SampledOffer {
  /// The variance of sparsity over the part of the interval that shows values; 0 if the gate refuses the cut.
  double gain = 0;
  /// False where the missing values are the stronger evidence: then they alone are set apart.
  bool cuts_values = true;
};

/// A sampled cut before missing values are thought of.
struct SampledSides {
  /// p^2 / q summed over the two sides; 1 if there is nothing to cut.
  double value = 1;
  /// The likelihood ratio of the counts of the two sides against an even spread.
  double evidence = 0;
  bool can_be_cut = false;
};

/// The sides where the part of the interval that shows no values, the margin, is set apart from the rest: `n` values on
/// `seen_share` of its length, where an even spread would leave `expected` such parts empty, on average.
SampledSides sides_of_margin(std::size_t n, double seen_share, double expected);
/// The chance that all of n even values lie on `share` of the length.
double chance_of_all(std::size_t n, double share);

/// The offer of a sampled cut, with the missing values as evidence of their own.
SampledOffer offer_of(const SampledSides& sides, std::size_t present, std::size_t missing, double missing_share,
                      const Gate& gate);

/// A node's values as cells, and what is needed to make a split of a grouping of them.
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
  /// The number of groups into which the cells as laid out must be allowed to fall so that no split of the axis into k
  /// is worth more than the best of them: k itself, unless the axis might better be opened elsewhere.
  [[nodiscard]] virtual int groups_to_bound(const Interval& /*interval*/, int k) const { return k; }
  /// The best grouping of the cells into at most k, which may lay them out anew. `breathe` is called now and then; what
  /// it throws ends the search.
  [[nodiscard]] virtual Grouping group(const NodeValues& /*sorted*/, const Interval& /*interval*/, int k,
                                       const std::function<void()>& breathe, Layout& layout) const {
    return partition(layout.cells, k, breathe);
  }
  /// The children of a grouping of the cells.
  [[nodiscard]] virtual Split split_by(const NodeValues& sorted, const Interval& interval, const Layout& layout,
                                       const Grouping& grouping) const = 0;

  /// Sampled cuts: looks at the values of a node.
  virtual void show(const NodeValues& values, const Interval& /*interval*/, Shown& shown) const { shown.node = values; }
  /// How many random numbers a cut takes besides where to cut.
  [[nodiscard]] virtual std::size_t n_order_draws(const Shown& /*shown*/) const { return 0; }
  /// The sides of one drawn cut.
  [[nodiscard]] virtual SampledSides sides_of(const Shown& shown, const Interval& interval,
                                              const Draws& draws) const = 0;
  /// The children of the same cut; what shows no values is a margin, a child of its own.
  [[nodiscard]] virtual Split split_at(const Shown& shown, const Interval& interval, const Draws& draws) const = 0;
};

}  // namespace pidforest::geometry
