// SPDX-License-Identifier: Apache-2.0
// The mark of each place of an axis: a rare part with hardly fewer bits than the rarest one that holds the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reasons/axis_marks.h"

namespace pidforest::reasons {

/// Adjacent stretches between two borders that a part holds, as the first and the last place in Lines::marks. Missing
/// values are after the last place.
struct HeldPlaces {
  const RarePart* part;
  std::size_t first;
  std::size_t last;
};

/// Chooses among the rare parts that hold the same values, for each of some places. All parts are seen before the first
/// is offered.
class BestParts {
 public:
  explicit BestParts(std::size_t n);

  void see(const HeldPlaces& held);
  void offer(const HeldPlaces& held);
  /// The number of the part with the most rows for each place, of the first one among equals; 0 if no part holds it.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;

 private:
  std::size_t n_;
  /// All of one size, padded to whole vectors.
  std::vector<double> most_;
  std::vector<double> counts_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace pidforest::reasons
