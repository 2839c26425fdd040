// SPDX-License-Identifier: Apache-2.0
// What would make a row normal: within the root cubes, its score as a function of one axis changes at the forest's cuts
// only, so all of its values can be tried.
#include "explain/nearest_normal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "explain/axis_spread.h"
#include "explain/round_bounds.h"
#include "explain/wording.h"
#include "forest/attribute.h"
#include "forest/score.h"
#include "geometry/part.h"
#include "model/roots.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "schema/encoded_table.h"
#include "values/round_number.h"

namespace pidforest {

using geometry::AxisKind;
using geometry::Interval;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A change must lead to values that are common: at least this share of the fitted rows has them.
constexpr double least_share_of_rows = 0.05;

/// The values between two cuts, low <= x < high, which all score alike; `value` is one of them.
struct Segment {
  double low;
  double high;
  double value;
  double bits = 0;
  /// The share of the fitted rows that have these values.
  double share = 0;
};
using Segments = std::vector<Segment>;

/// A change of one axis: any value of the part will do.
struct Change {
  Part part;
  /// In lengths of the axis.
  double distance = infinity;
};

class NormalSearch {
 public:
  NormalSearch(const model::State& state, std::vector<double> row, double threshold, const Run& run)
      : state_(state),
        threshold_(threshold),
        run_(run),
        root_(forest::common_root(*state.forest)),
        row_(std::move(row)) {}

  /// A change of one axis, the axis with the most bits first; or else of two.
  std::optional<std::vector<Part>> find() {
    if (score_with(0, {{row_[0], row_[0], row_[0]}}).front().bits <= threshold_) return std::vector<Part>{};
    for (const std::size_t axis : axes_that_matter()) {
      axes_.push_back({axis, segments_of(axis)});
      const Change change = nearest(axis, score_with(axis, axes_.back().segments));
      if (change.distance < infinity) return std::vector{change.part};
    }
    return find_two();
  }

 private:
  struct Axis {
    std::size_t axis;
    Segments segments;
  };

  /// The axes that give the row most of its bits. A change of another axis may bring the row just below the threshold,
  /// but is no remedy.
  [[nodiscard]] std::vector<std::size_t> axes_that_matter() const {
    constexpr std::size_t most_axes = 3;
    forest::Rows rows{.n = 1, .columns = {}};
    for (const double& x : row_) rows.columns.push_back({&x});
    std::vector<double> bits(row_.size());
    const forest::Attribution attribution(*state_.forest, *state_.book, state_.tables);
    model::attribute_rows(state_, attribution, rows, bits, run_);
    std::vector<std::size_t> axes(row_.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::ranges::stable_sort(axes, std::ranges::greater{}, [&](std::size_t axis) { return bits[axis]; });
    axes.resize(std::min(most_axes, axes.size()));
    std::erase_if(axes, [&](std::size_t axis) { return bits[axis] <= 0 || root_[axis].low > root_[axis].high; });
    return axes;
  }

  /// The first axis takes the value that brings the score down most, and the second moves no further than it must. Then
  /// the first moves no further than it must.
  std::optional<std::vector<Part>> find_two() {
    for (const Axis& first : axes_)
      for (const Axis& second : axes_) {
        if (first.axis == second.axis) continue;
        const Segments scored = score_with(first.axis, first.segments);
        const double lowest = std::ranges::min_element(scored, {}, &Segment::bits)->value;
        const double own = std::exchange(row_[first.axis], lowest);
        const Segments others = score_with(second.axis, second.segments);
        row_[first.axis] = own;
        const Change change = nearest(second.axis, others);
        if (change.distance == infinity) continue;
        const Change back = nearest(first.axis, worst_with(first, change.part, others));
        if (back.distance == infinity) continue;
        std::vector<Part> parts{back.part, change.part};
        std::ranges::sort(parts, geometry::comes_before);
        return parts;
      }
    return std::nullopt;
  }

  /// The segments of the first axis with the highest score that the rarest values of the second give them: any value of
  /// one change must go with any value of the other.
  [[nodiscard]] Segments worst_with(const Axis& first, const Part& second, const Segments& others) {
    constexpr std::size_t most_tried = 16;
    Segments tried;
    std::ranges::copy_if(others, std::back_inserter(tried),
                         [&](const Segment& one) { return second.holds(one.value); });
    std::ranges::stable_sort(tried, std::ranges::greater{}, &Segment::bits);
    tried.resize(std::min(tried.size(), most_tried));
    Segments worst = first.segments;
    for (const Segment& other : tried) {
      const double own = std::exchange(row_[second.axis], other.value);
      const Segments scored = score_with(first.axis, first.segments);
      for (std::size_t i = 0; i < worst.size(); ++i) worst[i].bits = std::max(worst[i].bits, scored[i].bits);
      row_[second.axis] = own;
    }
    return worst;
  }

  [[nodiscard]] AxisKind kind_of(std::size_t axis) const {
    return model::kind_of(state_.encoder.axes()[state_.axis_order[axis]], root_[axis]);
  }

  /// What the cuts leave of the root interval.
  [[nodiscard]] Segments segments_of(std::size_t axis) const {
    Segments segments = between_cuts(axis);
    std::vector<geometry::Stretch> stretches;
    for (const Segment& segment : segments) stretches.push_back({segment.low, segment.high});
    const std::vector<double> shares = explain::shares_of_rows(state_, axis, root_[axis], stretches);
    for (std::size_t i = 0; i < segments.size(); ++i) segments[i].share = shares[i];
    return segments;
  }

  /// The cuts of the trees and the ends of rare pairs, in increasing order.
  [[nodiscard]] std::vector<double> cuts_of(std::size_t axis) const {
    std::vector<double> cuts = state_.book->axis(axis).cuts;
    for (const pairs::RarePair& pair : state_.pairs.all())
      for (const pairs::Group& group : {pair.first, pair.second})
        if (group.axis == axis) cuts.insert(cuts.end(), {group.low, group.high});
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
  }

  [[nodiscard]] Segments between_cuts(std::size_t axis) const {
    const Interval& root = root_[axis];
    if (root.low == root.high) return {{root.low, std::nextafter(root.low, infinity), root.low}};
    Segments segments;
    const bool has_isolated = !state_.forest->isolated.empty();
    double low = has_isolated ? state_.forest->isolated[axis].core_low() : -infinity;
    const auto add = [&](double high) {
      const double value = std::max(low, root.low);
      const bool is_level = kind_of(axis) != AxisKind::category || value < root.high;
      if (value < high && value <= root.high && is_level) segments.push_back({low, high, value});
      low = high;
    };
    const double end = has_isolated ? std::nextafter(state_.forest->isolated[axis].core_high(), infinity) : infinity;
    for (const double cut : cuts_of(axis))
      if (cut > low && cut < end) add(cut);
    add(end);
    return segments;
  }

  /// The segments with the score of the row that has their value on the axis.
  [[nodiscard]] Segments score_with(std::size_t axis, Segments segments) const {
    std::vector<double> values;
    for (const Segment& segment : segments) values.push_back(segment.value);
    forest::Rows rows{.n = values.size(), .columns = {}};
    for (const double& x : row_) rows.columns.push_back({&x, 0});
    rows.columns[axis] = {values.data()};
    std::vector<double> bits(values.size());
    model::score_rows(state_, rows, bits, run_);
    for (std::size_t i = 0; i < bits.size(); ++i) segments[i].bits = bits[i];
    return segments;
  }

  /// The nearest run of normal segments with common values; all normal levels of a category together.
  [[nodiscard]] Change nearest(std::size_t axis, Segments segments) const {
    Change best;
    double share = 0;
    const AxisKind kind = kind_of(axis);
    const auto is_normal = [&](const Segment& segment) { return segment.bits <= threshold_; };
    // Around a circle a run may go on where the segments begin.
    if (kind == AxisKind::cyclic) std::ranges::rotate(segments, std::ranges::find_if_not(segments, is_normal));
    for (auto begin = std::ranges::find_if(segments, is_normal); begin != segments.end();) {
      const auto end = std::find_if_not(begin, segments.end(), is_normal);
      const Change change = change_to(axis, *begin, *std::prev(end));
      const double own_share =
          std::accumulate(begin, end, 0.0, [](double sum, const Segment& s) { return sum + s.share; });
      if (kind == AxisKind::category) {
        share += own_share;
        if (best.distance < infinity)
          best.part.levels.push_back(change.part.levels.front());
        else
          best = change;
      } else if (own_share >= least_share_of_rows && change.distance < best.distance) {
        best = change;
        share = own_share;
      }
      begin = std::find_if(end, segments.end(), is_normal);
    }
    return share >= least_share_of_rows ? best : Change{};
  }

  /// To the values from the beginning of one segment to the end of another.
  [[nodiscard]] Change change_to(std::size_t axis, const Segment& first, const Segment& last) const {
    const Interval& root = root_[axis];
    const AxisKind kind = kind_of(axis);
    const geometry::Stretch values =
        is_number(axis) ? rounded(first, last, axis) : geometry::Stretch{first.low, last.high};
    return {.part = geometry::part_between(static_cast<std::uint32_t>(axis), kind, values, root),
            .distance = geometry::distance_to(row_[axis], kind, values, root)};
  }

  [[nodiscard]] bool is_number(std::size_t axis) const {
    const std::size_t column = state_.encoder.axes()[state_.axis_order[axis]].column;
    return state_.encoder.schema().columns[column].kind == Kind::continuous && root_[axis].low < root_[axis].high;
  }

  /// The values of a run with ends at the roundest numbers in its first and last segment. Where the row is beyond the
  /// root cube, the run ends with it.
  [[nodiscard]] geometry::Stretch rounded(const Segment& first, const Segment& last, std::size_t axis) const {
    const Interval& root = root_[axis];
    const double middle = geometry::point_before(std::max(first.low, root.low), std::min(last.high, root.high), 0.5);
    geometry::Stretch values{first.low, last.high};
    if (std::isfinite(first.low))
      values.low = values::roundest_between(first.low, std::min(first.high, middle));
    else if (row_[axis] < root.low)
      values.low = root.low;
    if (std::isfinite(last.high))
      values.high = values::roundest_between(last.high, std::max(last.low, middle));
    else if (row_[axis] > root.high)
      values.high = std::nextafter(root.high, infinity);
    return values;
  }

  const model::State& state_;
  double threshold_;
  const Run& run_;
  /// The values that no tree stretches a cube for.
  forest::Root root_;
  std::vector<double> row_;
  /// The axes that were tried so far.
  std::vector<Axis> axes_;
};

}  // namespace

std::optional<std::vector<Condition>> explain::nearest_normal(const model::State& state, std::vector<double> row,
                                                              double threshold, const Run& run) {
  if (state.axis_order.empty()) return std::nullopt;
  const auto parts = NormalSearch(state, std::move(row), threshold, run).find();
  if (!parts) return std::nullopt;
  const explain::Space space{state.encoder, state.axis_order, state.forest->root};
  std::vector<Condition> conditions;
  for (const Part& part : *parts) {
    const bool is_value = state.reasons != nullptr && explain::is_binary(part, state.reasons->neighbours, space);
    conditions.push_back(explain::condition_of(is_value ? explain::value_of_binary(part) : part, space));
  }
  return conditions;
}

std::optional<std::vector<Condition>> nearest_normal(const Model& model, const Table& row, double threshold,
                                                     const Run& run) {
  if (row.n_rows() != 1) throw InvalidInput(fmt::format("there must be one row; got {}.", row.n_rows()));
  const model::State& state = model::state_of(model);
  const schema::EncodedTable encoded(state.encoder, row, run);
  std::vector<double> values;
  for (const std::size_t axis : state.axis_order) values.push_back(encoded.table().columns()[axis].number(0));
  return explain::nearest_normal(state, std::move(values), threshold, run);
}

}  // namespace pidforest
