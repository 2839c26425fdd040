// SPDX-License-Identifier: Apache-2.0
#include "explain/wording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "explain/condition.h"
#include "schema/level_names.h"
#include "schema/native_scale.h"

namespace pidforest::explain {

using geometry::AxisKind;
using geometry::Part;

namespace {

using Shape = Condition::Shape;
using schema::AxisInfo;

void set_present(Condition& condition) {
  condition.derivation.reset();
  condition.shape = Shape::present;
}

/// An axis with a single value is ordered whatever its kind, so a category of one level may be an ordered axis: test
/// whether the part holds each code instead of reading its levels.
void set_levels(Condition& condition, const Part& part, const AxisInfo& axis, const ColumnSchema& column) {
  const schema::LevelNames names(column, condition.derivation);
  const bool is_category = axis.kind == AxisKind::category;
  schema::LevelSet levels(names.size());
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i] = part.holds(static_cast<double>(i) + (is_category ? 0 : 0.5));
  const bool may_be_unheard = column.kind == Kind::category;
  const bool has_unheard = may_be_unheard && part.holds(static_cast<double>(names.size()));
  const bool has_all = std::ranges::find(levels, false) == levels.end();
  if (has_all && (has_unheard || !may_be_unheard)) return set_present(condition);
  condition.shape = has_unheard ? Shape::other_levels : Shape::levels;
  if (has_unheard) levels.flip();
  condition.levels = names.names_of(levels);
}

/// A circle with a single value is an ordered axis too; its ends are the ends of the circle.
void set_arc(Condition& condition, const Part& part, const schema::NativeScale& scale) {
  const auto native = [&](double encoded, double open_end) {
    return std::isfinite(encoded) ? scale.to_native(encoded) : open_end;
  };
  const auto on_circle = [&](double place) { return place >= scale.period() ? place - scale.period() : place; };
  const double low = std::clamp(native(part.low, 0), 0.0, scale.period());
  const double high = std::clamp(native(part.high, scale.period()), 0.0, scale.period());
  condition.low = on_circle(low);
  condition.high = on_circle(high);
  condition.shape = Shape::arc;
  if (condition.low != condition.high) return;
  condition.low = -std::numeric_limits<double>::infinity();
  condition.high = std::numeric_limits<double>::infinity();
  set_present(condition);
}

void set_range(Condition& condition, const Part& part, const schema::NativeScale& scale) {
  condition.shape = Shape::range;
  condition.low = scale.to_native(part.low);
  condition.high = scale.to_native(part.high);
  if (std::isinf(condition.low) && std::isinf(condition.high)) set_present(condition);
}

/// A set of named cells, like a set of levels, need not be a run: both are ranges of codes.
Part part_of_levels(const Condition& condition, const ColumnSchema& column) {
  const schema::LevelNames names(column, condition.derivation);
  schema::LevelSet levels = levels_of(condition, names);
  levels.push_back(condition.shape == Shape::other_levels);  // unseen levels
  Part part{.kind = AxisKind::category};
  for (std::uint32_t i = 0; i < levels.size(); ++i) {
    if (!levels[i]) continue;
    if (part.levels.empty() || part.levels.back().end < i)
      part.levels.push_back({i, i + 1});
    else
      ++part.levels.back().end;
  }
  return part;
}

}  // namespace

std::optional<Derivation> derivation_of(const schema::Encoder& encoder, std::size_t axis) {
  const std::vector<AxisInfo>& axes = encoder.axes();
  const ColumnSchema& column = encoder.schema().columns[axes[axis].column];
  if (column.kind != Kind::time) return {};
  const auto first = std::ranges::find(axes, axes[axis].column, &AxisInfo::column);
  return column.derive[axis - static_cast<std::size_t>(first - axes.begin())];
}

Part part_of(const Condition& condition, const ColumnSchema& column) {
  if (condition.shape == Shape::missing) return {.is_missing = true};
  if (condition.shape == Shape::present) return {};
  if (condition.shape == Shape::levels || condition.shape == Shape::other_levels)
    return part_of_levels(condition, column);
  const schema::NativeScale scale(column, condition.derivation);
  return {.kind = condition.shape == Shape::arc ? AxisKind::cyclic : AxisKind::ordered,
          .low = scale.to_encoded(condition.low),
          .high = scale.to_encoded(condition.high)};
}

Condition condition_of(const Part& part, const Space& space) {
  const std::size_t encoded_axis = space.axis_order[part.axis];
  const AxisInfo& axis = space.encoder.axes()[encoded_axis];
  const ColumnSchema& column = space.encoder.schema().columns[axis.column];
  Condition condition;
  condition.column = column.name;
  condition.share = geometry::share_of(part, space.root[part.axis]);
  if (part.is_missing) {
    condition.shape = Shape::missing;
    return condition;
  }
  condition.derivation = derivation_of(space.encoder, encoded_axis);
  if (schema::LevelNames::apply_to(column, condition.derivation))
    set_levels(condition, part, axis, column);
  else if (axis.kind == AxisKind::cyclic)
    set_arc(condition, part, schema::NativeScale(column, condition.derivation));
  else
    set_range(condition, part, schema::NativeScale(column, condition.derivation));
  return condition;
}

Witness witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows, const Space& space) {
  Witness witness{.n_inside = n_inside, .n_rows = n_rows};
  for (const Part& part : parts) {
    witness.conditions.push_back(condition_of(part, space));
    witness.volume *= witness.conditions.back().share;
  }
  witness.bits = geometry::bits_of(geometry::log2_volume(parts, space.root), n_inside, n_rows);
  return witness;
}

}  // namespace pidforest::explain
