// SPDX-License-Identifier: Apache-2.0
#include "file/axis_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pidforest/error.h"

namespace pidforest::file {

using forest::Relation;
using geometry::IsolatedPart;
using geometry::IsolatedParts;

namespace {

/// The place of a part on its axis, as it is stored.
enum class Side : std::uint8_t { below, above, missing };

struct StoredPart {
  std::uint32_t axis;
  Side side;
  IsolatedPart part;
};

std::vector<StoredPart> stored_parts(std::span<const IsolatedParts> isolated) {
  std::vector<StoredPart> stored;
  for (std::uint32_t axis = 0; axis < isolated.size(); ++axis) {
    for (const IsolatedPart& part : isolated[axis].below) stored.push_back({axis, Side::below, part});
    for (const IsolatedPart& part : isolated[axis].above) stored.push_back({axis, Side::above, part});
    if (isolated[axis].missing_bits > 0)
      stored.push_back(
          {axis, Side::missing, {.n_rows = isolated[axis].n_missing, .bits = isolated[axis].missing_bits}});
  }
  return stored;
}

[[noreturn]] void refuse(std::size_t i, std::string_view demand) {
  throw BadFile(fmt::format("isolated part {} {}.", i, demand));
}

bool is_in_order(const IsolatedPart& part, Side side) {
  if (side == Side::missing) return part.inner == 0 && part.nearest == 0 && part.outer == 0 && part.share == 0;
  const double sign = side == Side::above ? 1 : -1;
  return sign * part.inner < sign * part.nearest && sign * part.nearest <= sign * part.outer && part.share > 0 &&
         part.share <= 1;
}

/// Parts of an end follow each other from the outermost one to the core.
void check_follows(std::size_t i, const StoredPart& one, std::span<const IsolatedPart> before) {
  const bool has_rows = std::ranges::all_of(before, [](const IsolatedPart& part) { return part.n_rows > 0; });
  if (!before.empty() && (!has_rows || one.part.n_rows == 0)) refuse(i, "has no rows and must be alone at its end");
  if (!before.empty() && before.back().inner != one.part.outer) refuse(i, "must begin where the one before it ends");
}

bool is_unseen(const StoredPart& one, std::span<const schema::AxisInfo> infos) {
  const schema::AxisInfo& info = infos[one.axis];
  return info.kind == geometry::AxisKind::category && one.side == Side::above && one.part.n_rows == 0 &&
         one.part.nearest == one.part.outer && one.part.nearest == std::floor(one.part.nearest) &&
         one.part.nearest <= static_cast<double>(info.n_cells);
}

void check_part(std::size_t i, const StoredPart& one, std::span<const schema::AxisInfo> infos) {
  if (one.axis >= infos.size()) refuse(i, fmt::format("must be on one of {} axes; got {}", infos.size(), one.axis));
  if (one.side > Side::missing) refuse(i, "must be below or above its axis, or missing");
  if (one.side != Side::missing && infos[one.axis].kind != geometry::AxisKind::ordered && !is_unseen(one, infos))
    refuse(i, "must be on an ordered axis, or hold the unseen levels of a category");
  for (const double number : {one.part.inner, one.part.nearest, one.part.outer, one.part.share, one.part.bits})
    if (!std::isfinite(number)) refuse(i, "must have finite numbers");
  if (!is_in_order(one.part, one.side)) refuse(i, "must have its ends in order and a share of the axis");
  if (!(one.part.bits > 0)) refuse(i, "must have bits");
}

void add_part(std::size_t i, const StoredPart& one, IsolatedParts& parts) {
  if (one.side == Side::missing) {
    if (parts.missing_bits > 0) refuse(i, "repeats the missing values of its axis");
    parts.missing_bits = one.part.bits;
    parts.n_missing = one.part.n_rows;
    return;
  }
  std::vector<IsolatedPart>& end = one.side == Side::below ? parts.below : parts.above;
  check_follows(i, one, end);
  end.push_back(one.part);
}

}  // namespace

void add_isolated(SectionWriter& file, std::span<const IsolatedParts> isolated) {
  const std::vector<StoredPart> stored = stored_parts(isolated);
  if (stored.empty()) return;
  file.add_array("isolated.axis", stored, [](const StoredPart& one) { return one.axis; });
  file.add_array("isolated.side", stored, [](const StoredPart& one) { return static_cast<std::uint8_t>(one.side); });
  file.add_array("isolated.inner", stored, [](const StoredPart& one) { return one.part.inner; });
  file.add_array("isolated.near", stored, [](const StoredPart& one) { return one.part.nearest; });
  file.add_array("isolated.outer", stored, [](const StoredPart& one) { return one.part.outer; });
  file.add_array("isolated.share", stored, [](const StoredPart& one) { return one.part.share; });
  file.add_array("isolated.rows", stored, [](const StoredPart& one) { return one.part.n_rows; });
  file.add_array("isolated.bits", stored, [](const StoredPart& one) { return one.part.bits; });
}

std::vector<IsolatedParts> read_isolated(SectionReader& file, std::span<const schema::AxisInfo> infos) {
  if (!file.has("isolated.axis")) return {};
  const auto axis = file.take_array<std::uint32_t>("isolated.axis");
  const auto side = file.take_array<std::uint8_t>("isolated.side");
  const auto inner = file.take_array<double>("isolated.inner");
  const auto nearest = file.take_array<double>("isolated.near");
  const auto outer = file.take_array<double>("isolated.outer");
  const auto share = file.take_array<double>("isolated.share");
  const auto n_rows = file.take_array<std::uint64_t>("isolated.rows");
  const auto bits = file.take_array<double>("isolated.bits");
  for (const std::size_t size :
       {side.size(), inner.size(), nearest.size(), outer.size(), share.size(), n_rows.size(), bits.size()})
    if (size != axis.size() || size == 0) throw BadFile("its arrays of isolated parts have wrong lengths.");
  std::vector<IsolatedParts> isolated(infos.size());
  std::pair<std::uint32_t, Side> last{0, Side::below};
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const StoredPart one{
        axis[i], static_cast<Side>(side[i]), {inner[i], nearest[i], outer[i], share[i], n_rows[i], bits[i]}};
    check_part(i, one, infos);
    if (std::pair(one.axis, one.side) < last) refuse(i, "must come in the order of axes and sides");
    last = {one.axis, one.side};
    add_part(i, one, isolated[one.axis]);
  }
  return isolated;
}

void add_relations(SectionWriter& file, std::span<const Relation> relations) {
  if (relations.empty()) return;
  file.add_array("relation.first", relations, [](const Relation& one) { return one.first; });
  file.add_array("relation.second", relations, [](const Relation& one) { return one.second; });
  file.add_array("relation.nats", relations, [](const Relation& one) { return one.information; });
}

std::vector<Relation> read_relations(SectionReader& file, std::size_t n_axes) {
  if (!file.has("relation.first")) return {};
  const auto first = file.take_array<std::uint32_t>("relation.first");
  const auto second = file.take_array<std::uint32_t>("relation.second");
  const auto information = file.take_array<double>("relation.nats");
  if (first.size() == 0 || second.size() != first.size() || information.size() != first.size())
    throw BadFile("its arrays of relations have wrong lengths.");
  std::vector<Relation> relations;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Relation one{first[i], second[i], information[i]};
    if (one.first >= one.second || one.second >= n_axes)
      throw BadFile(fmt::format("relation {} must join two of {} axes, the lower first; got {} and {}.", i, n_axes,
                                one.first, one.second));
    if (!(one.information > 0) || (i > 0 && one.information > relations.back().information))
      throw BadFile(fmt::format("relation {} must have information, no more than the one before it; got {}.", i,
                                one.information));
    relations.push_back(one);
  }
  return relations;
}

}  // namespace pidforest::file
