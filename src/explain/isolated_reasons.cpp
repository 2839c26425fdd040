// SPDX-License-Identifier: Apache-2.0
#include "explain/isolated_reasons.h"

#include <cmath>
#include <limits>
#include <utility>

#include "explain/round_bounds.h"
#include "forest/stretch.h"
#include "geometry/logarithm.h"
#include "model/state.h"

namespace pidforest::explain {

using geometry::IsolatedPart;
using geometry::IsolatedParts;
using geometry::Part;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A value is either there or not: missing values count as half of the space.
constexpr double share_of_missing = 0.5;

/// Where a part of values from `x` on begins, and where one up to and including `x` ends.
double border_at(double x, bool has_cells) { return has_cells ? std::floor(x) : x; }
double border_after(double x, bool has_cells) { return has_cells ? std::floor(x) + 1 : std::nextafter(x, infinity); }

}  // namespace

IsolatedReasons::IsolatedReasons(const forest::Forest& forest, const Space& space) : forest_(forest), space_(space) {
  for (std::uint32_t axis = 0; axis < forest.isolated.size(); ++axis) add_axis(axis);
  std::vector<Part> parts;
  parts.reserve(reasons_.size());
  for (const IsolatedReason& reason : reasons_) parts.push_back(reason.part);
  neighbours_ = reasons::Neighbours(parts, forest.isolated.size());
  for (std::size_t axis = 0; axis < forest.isolated.size(); ++axis)
    for (const auto* end : {&forest.isolated[axis].below, &forest.isolated[axis].above})
      for (const IsolatedPart& part : *end) add_values(axis, part);
}

/// The values of the fitted rows next to the bounds of a part. Beyond a part without rows there are none.
void IsolatedReasons::add_values(std::size_t axis, const IsolatedPart& part) {
  neighbours_.add_value(axis, part.inner);
  if (part.n_rows == 0) return;
  neighbours_.add_value(axis, part.nearest);
  neighbours_.add_value(axis, part.outer);
}

/// The outermost part of an end has no outer bound. Each other part ends where the part beyond it begins.
void IsolatedReasons::add_axis(std::uint32_t axis) {
  first_.push_back(static_cast<std::uint32_t>(reasons_.size()));
  const IsolatedParts& parts = forest_.isolated[axis];
  const bool has_cells = space_.encoder.axes()[space_.axis_order[axis]].n_cells > 0;
  const bool is_category = space_.encoder.axes()[space_.axis_order[axis]].kind == geometry::AxisKind::category;
  for (const IsolatedPart& part : parts.above) {
    Part condition{.axis = axis};
    if (is_category) {
      const auto code = static_cast<std::uint32_t>(part.nearest);
      condition.kind = geometry::AxisKind::category;
      condition.levels = {{code, code + 1}};
    } else {
      condition.low = border_at(part.nearest, has_cells);
      if (&part != &parts.above.front()) condition.high = reasons_.back().part.low;
    }
    reasons_.push_back({std::move(condition), part.share, part.n_rows});
  }
  for (const IsolatedPart& part : parts.below) {
    Part condition{.axis = axis, .high = border_after(part.nearest, has_cells)};
    if (&part != &parts.below.front()) condition.low = reasons_.back().part.high;
    reasons_.push_back({std::move(condition), part.share, part.n_rows});
  }
  if (parts.missing_bits > 0)
    reasons_.push_back({{.axis = axis, .is_missing = true}, share_of_missing, parts.n_missing});
}

std::optional<std::uint32_t> IsolatedReasons::reason_of(const forest::Rows& rows, std::size_t row) const {
  double most = 0;
  std::optional<std::uint32_t> place;
  for (std::size_t axis = 0; axis < forest_.isolated.size(); ++axis) {
    const IsolatedParts& parts = forest_.isolated[axis];
    const double x = rows.columns[axis][row];
    const double bits = parts.bits_of(x);
    if (bits <= most) continue;
    most = bits;
    const auto n_above = static_cast<std::uint32_t>(parts.above.size());
    const auto n_values = static_cast<std::uint32_t>(parts.above.size() + parts.below.size());
    const IsolatedPart* part = parts.part_of(x);
    std::uint32_t number = n_values;
    for (std::uint32_t i = 0; i < n_values && part != nullptr; ++i)
      if (part == (i < n_above ? &parts.above[i] : &parts.below[i - n_above])) number = i;
    place = first_[axis] + number;
  }
  return place;
}

Witness IsolatedReasons::witness(std::uint32_t place, std::uint64_t n_inside, std::uint64_t n_rows) const {
  const IsolatedReason& reason = reasons_[place];
  const double missing_share = forest_.root[reason.part.axis].missing_share;
  Witness witness = round_witness_of({reason.part}, n_inside, n_rows, neighbours_, space_);
  witness.only_value.clear();  // the neighbours have no other values than those next to isolated parts
  witness.volume = reason.part.is_missing ? reason.share : reason.share * (1 - missing_share);
  witness.conditions.front().share = witness.volume;
  witness.bits = geometry::bits_of(geometry::portable_log2(witness.volume), n_inside, n_rows);
  return witness;
}

}  // namespace pidforest::explain

namespace pidforest {

std::vector<Witness> isolated_values(const Model& model) {
  const model::State& state = model::state_of(model);
  const explain::Space space{state.encoder, state.axis_order, state.forest->root};
  const explain::IsolatedReasons isolated(*state.forest, space);
  const std::uint64_t n_rows = state.counts.trees.front().front();
  std::vector<Witness> witnesses;
  for (std::uint32_t i = 0; i < isolated.all().size(); ++i)
    if (isolated.all()[i].n_rows > 0) witnesses.push_back(isolated.witness(i, isolated.all()[i].n_rows, n_rows));
  return witnesses;
}

std::vector<RelatedColumns> related_columns(const Model& model) {
  const model::State& state = model::state_of(model);
  const auto name_of = [&](std::uint32_t axis) { return state.encoder.axes()[state.axis_order[axis]].name; };
  std::vector<RelatedColumns> related;
  for (const forest::Relation& one : state.forest->relations)
    related.push_back({name_of(one.first), name_of(one.second), one.information});
  return related;
}

}  // namespace pidforest
