// SPDX-License-Identifier: Apache-2.0
#include "explain/round_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "geometry/logarithm.h"
#include "schema/level_names.h"
#include "schema/native_scale.h"
#include "values/number_words.h"
#include "values/round_number.h"

namespace pidforest::explain {

using geometry::AxisKind;
using geometry::Part;
using reasons::Neighbours;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double after(double x) { return std::nextafter(x, infinity); }

/// Rounds the bounds of one part in the unit of its column.
class RoundBounds {
 public:
  RoundBounds(const Part& part, const Neighbours& neighbours, const schema::NativeScale& scale)
      : part_(part), neighbours_(neighbours), scale_(scale) {}

  [[nodiscard]] double low() const {
    const std::optional<double> outside = neighbours_.below(part_.axis, part_.low);
    if (!std::isfinite(part_.low) || !outside) return part_.low;
    const bool is_beyond_all = !neighbours_.above(part_.axis, part_.low);
    // The smallest bound that leaves the value outside is the next whole number, or else any number above it.
    const double least = scale_.to_native(*outside) + scale_.step();
    const double own = scale_.to_native(part_.low);
    const double round = is_beyond_all ? least : values::roundest_between(least, own);
    if (round == own) return part_.low;
    const double moved = scale_.step() > 0 ? border_of(round) : after(round);
    return *outside < moved && moved <= part_.low ? moved : part_.low;
  }

  [[nodiscard]] double high() const {
    const std::optional<double> outside = neighbours_.above(part_.axis, part_.high);
    if (!std::isfinite(part_.high) || !outside) return part_.high;
    const bool is_beyond_all = !neighbours_.below(part_.axis, part_.high);
    const double most = scale_.to_native(*outside);
    const double own = scale_.to_native(part_.high);
    const double round = is_beyond_all ? most : values::roundest_between(most, own);
    if (round == own) return part_.high;
    const double moved = scale_.step() > 0 ? border_of(round) : round;
    return part_.high <= moved && moved <= *outside ? moved : part_.high;
  }

 private:
  /// Where the cell of a whole number begins. Large numbers may have no cell of their own.
  [[nodiscard]] double border_of(double whole_number) const { return std::floor(scale_.to_encoded(whole_number)); }

  const Part& part_;
  const Neighbours& neighbours_;
  const schema::NativeScale& scale_;
};

/// The only value of all rows in words; empty for an unseen level and for most derivations of a time.
std::string value_in_words(double encoded, const ColumnSchema& column, std::optional<Derivation> derivation) {
  if (schema::LevelNames::apply_to(column, derivation)) {
    const schema::LevelNames names(column, derivation);
    const auto place = static_cast<std::size_t>(encoded);
    return place < names.size() ? names.names()[place] : "";
  }
  if (column.kind == Kind::time) return "";
  constexpr int n_digits_shown = 6;
  return values::number_words(schema::NativeScale(column, derivation).to_native(encoded), n_digits_shown);
}

}  // namespace

namespace {

/// Numbers on an axis without cells and without a circle.
bool is_plain_range(const Part& part, const ColumnSchema& column) {
  return part.kind == AxisKind::ordered && !part.is_missing && column.kind == Kind::continuous &&
         schema::NativeScale(column, {}).step() == 0;
}

}  // namespace

bool is_binary(const Part& part, const Neighbours& neighbours, const Space& space) {
  const ColumnSchema& column = space.encoder.schema().columns[space.encoder.axes()[space.axis_order[part.axis]].column];
  if (!is_plain_range(part, column) || part.holds(0) == part.holds(1)) return false;
  if (part.axis >= neighbours.axes().size()) return false;
  bool has_0 = false;
  bool has_1 = false;
  for (const Neighbours::Cell& cell : neighbours.axes()[part.axis].cells) {
    if (cell.least > cell.largest) continue;
    if (cell.least != cell.largest || (cell.least != 0 && cell.least != 1)) return false;
    (cell.least == 0 ? has_0 : has_1) = true;
  }
  return has_0 && has_1;
}

Part value_of_binary(const Part& part) {
  Part value = part;
  value.low = part.holds(0) ? 0 : 1;
  value.high = after(value.low);
  return value;
}

Part with_round_bounds(const Part& part, const Neighbours& neighbours, const Space& space) {
  const std::size_t axis = space.axis_order[part.axis];
  const ColumnSchema& column = space.encoder.schema().columns[space.encoder.axes()[axis].column];
  const bool is_range = part.kind == AxisKind::ordered && !part.is_missing && column.kind != Kind::time &&
                        !schema::LevelNames::apply_to(column, {});
  if (!is_range) return part;
  const schema::NativeScale scale(column, {});
  if (scale.period() > 0) return part;
  const RoundBounds bounds(part, neighbours, scale);
  Part round = part;
  round.low = bounds.low();
  round.high = bounds.high();
  return round;
}

Witness round_witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows,
                         const Neighbours& neighbours, const Space& space, BinaryWords binary) {
  geometry::Parts round;
  for (const Part& part : parts) {
    const bool is_value = binary == BinaryWords::value && is_binary(part, neighbours, space);
    round.push_back(is_value ? value_of_binary(part) : with_round_bounds(part, neighbours, space));
  }
  Witness witness = witness_of(round, n_inside, n_rows, space);
  // A part beyond the root cube is as long as the axis, wherever its bound moves.
  witness.volume = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double& share = witness.conditions[i].share;
    share = std::max(share, share_of(parts[i], space.root[parts[i].axis]));
    witness.volume *= share;
  }
  witness.bits = geometry::bits_of(geometry::portable_log2(witness.volume), n_inside, n_rows);
  if (parts.size() != 1 || n_inside > 0) return witness;
  const std::size_t axis = space.axis_order[parts[0].axis];
  if (const std::optional<double> only = neighbours.only_value(parts[0].axis))
    witness.only_value = value_in_words(*only, space.encoder.schema().columns[space.encoder.axes()[axis].column],
                                        derivation_of(space.encoder, axis));
  return witness;
}

}  // namespace pidforest::explain
