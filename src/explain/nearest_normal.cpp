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

#include "explain/wording.h"
#include "forest/attribute.h"
#include "forest/score.h"
#include "geometry/part.h"
#include "model/roots.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "schema/encoded_table.h"

namespace pidforest {

using geometry::AxisKind;
using geometry::Interval;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values between two cuts, low <= x < high, which all score alike; `value` is one of them.
struct Segment {
  double low;
  double high;
  double value;
  double bits = 0;
};

/// A change of one axis: any value of the part will do; `value` is the nearest of them, but for rounding.
struct Change {
  Part part;
  double value = 0;
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

  std::optional<std::vector<Part>> find() {
    if (score_with(0, {{row_[0], row_[0], row_[0]}}).front().bits <= threshold_) return std::vector<Part>{};
    Change best;
    for (const std::size_t axis : axes_that_matter()) {
      const std::vector<Segment> segments = score_with(axis, segments_of(axis));
      const auto least = std::ranges::min_element(segments, {}, &Segment::bits);
      lowest_.push_back({axis, least->value});
      const Change change = nearest(axis, segments);
      if (change.distance < best.distance) best = change;
    }
    if (best.distance < infinity) return std::vector{best.part};
    return find_two();
  }

 private:
  /// The value of an axis that brings the score down most.
  struct Lowest {
    std::size_t axis;
    double value;
  };

  /// The axes that give the row most of its bits. A change of another axis may bring the row just below the threshold,
  /// but is no remedy.
  [[nodiscard]] std::vector<std::size_t> axes_that_matter() const {
    constexpr std::size_t most_axes = 3;
    forest::Rows rows{.n = 1, .columns = {}};
    for (const double& x : row_) rows.columns.push_back({&x});
    std::vector<double> bits(row_.size());
    forest::Attribution(*state_.forest, *state_.book, state_.tables).attribute(rows, bits, run_);
    std::vector<std::size_t> axes(row_.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::ranges::stable_sort(axes, std::ranges::greater{}, [&](std::size_t axis) { return bits[axis]; });
    axes.resize(std::min(most_axes, axes.size()));
    std::erase_if(axes, [&](std::size_t axis) { return bits[axis] <= 0 || root_[axis].low > root_[axis].high; });
    return axes;
  }

  /// A second axis for each; then the first is moved no further than it must.
  std::optional<std::vector<Part>> find_two() {
    Change first;
    Change second;
    for (const Lowest& lowest : lowest_) {
      const double own = std::exchange(row_[lowest.axis], lowest.value);
      for (const Lowest& other : lowest_) {
        if (other.axis == lowest.axis) continue;
        const Change change = nearest(other.axis, score_with(other.axis, segments_of(other.axis)));
        if (change.distance >= second.distance) continue;
        second = change;
        first.part.axis = static_cast<std::uint32_t>(lowest.axis);
      }
      row_[lowest.axis] = own;
    }
    if (second.distance == infinity) return std::nullopt;
    const double own = std::exchange(row_[second.part.axis], second.value);
    first = nearest(first.part.axis, score_with(first.part.axis, segments_of(first.part.axis)));
    row_[second.part.axis] = own;
    std::vector<Part> parts{first.part, second.part};
    std::ranges::sort(parts, geometry::comes_before);
    return parts;
  }

  [[nodiscard]] AxisKind kind_of(std::size_t axis) const {
    return model::kind_of(state_.encoder.axes()[state_.axis_order[axis]], root_[axis]);
  }

  /// What the cuts leave of the root interval.
  [[nodiscard]] std::vector<Segment> segments_of(std::size_t axis) const {
    const Interval& root = root_[axis];
    if (root.low == root.high) return {{root.low, std::nextafter(root.low, infinity), root.low}};
    std::vector<Segment> segments;
    const bool has_isolated = !state_.forest->isolated.empty();
    double low = has_isolated ? state_.forest->isolated[axis].core_low() : -infinity;
    const auto add = [&](double high) {
      const double value = std::max(low, root.low);
      const bool is_level = kind_of(axis) != AxisKind::category || value < root.high;
      if (value < high && value <= root.high && is_level) segments.push_back({low, high, value});
      low = high;
    };
    for (const double cut : state_.book->axis(axis).cuts)
      if (cut < infinity) add(cut);
    add(has_isolated ? std::nextafter(state_.forest->isolated[axis].core_high(), infinity) : infinity);
    return segments;
  }

  /// The segments with the score of the row that has their value on the axis.
  [[nodiscard]] std::vector<Segment> score_with(std::size_t axis, std::vector<Segment> segments) const {
    std::vector<double> values;
    for (const Segment& segment : segments) values.push_back(segment.value);
    forest::Rows rows{.n = values.size(), .columns = {}};
    for (const double& x : row_) rows.columns.push_back({&x, 0});
    rows.columns[axis] = {values.data()};
    std::vector<double> bits(values.size());
    forest::score_rows(*state_.forest, *state_.book, state_.tables, state_.options, rows, bits, run_);
    for (std::size_t i = 0; i < bits.size(); ++i) segments[i].bits = bits[i];
    return segments;
  }

  /// The nearest run of normal segments.
  [[nodiscard]] Change nearest(std::size_t axis, std::vector<Segment> segments) const {
    Change best;
    const AxisKind kind = kind_of(axis);
    const auto is_normal = [&](const Segment& segment) { return segment.bits <= threshold_; };
    // Around a circle a run may go on where the segments begin.
    if (kind == AxisKind::cyclic) std::ranges::rotate(segments, std::ranges::find_if_not(segments, is_normal));
    for (auto begin = std::ranges::find_if(segments, is_normal); begin != segments.end();) {
      const auto end = std::find_if_not(begin, segments.end(), is_normal);
      const Change change = change_to(axis, *begin, *std::prev(end));
      if (kind == AxisKind::category && best.distance < infinity)
        best.part.levels.push_back(change.part.levels.front());
      else if (change.distance < best.distance)
        best = change;
      begin = std::find_if(end, segments.end(), is_normal);
    }
    return best;
  }

  /// To the values from the beginning of one segment to the end of another.
  [[nodiscard]] Change change_to(std::size_t axis, const Segment& first, const Segment& last) const {
    const Interval& root = root_[axis];
    const AxisKind kind = kind_of(axis);
    const geometry::Stretch values{first.low, last.high};
    const geometry::Approach way = geometry::approach(row_[axis], kind, values, root);
    return {.part = geometry::part_between(static_cast<std::uint32_t>(axis), kind, values, root),
            .value = way.is_from_above ? last.value : first.value,
            .distance = way.distance};
  }

  const model::State& state_;
  double threshold_;
  const Run& run_;
  /// The values that no tree stretches a cube for.
  forest::Root root_;
  std::vector<double> row_;
  std::vector<Lowest> lowest_;
};

}  // namespace

std::optional<std::vector<Condition>> explain::nearest_normal(const model::State& state, std::vector<double> row,
                                                              double threshold, const Run& run) {
  if (state.axis_order.empty()) return std::nullopt;
  const auto parts = NormalSearch(state, std::move(row), threshold, run).find();
  if (!parts) return std::nullopt;
  const explain::Space space{state.encoder, state.axis_order, state.forest->root};
  std::vector<Condition> conditions;
  for (const Part& part : *parts) conditions.push_back(explain::condition_of(part, space));
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
