// SPDX-License-Identifier: Apache-2.0
// Finds cubes by their parts, and adds cubes together with all of their subsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reasons/row_sets.h"

namespace pidforest::reasons {

class CubeIndex {
 public:
  /// The root cube alone.
  CubeIndex() = default;
  explicit CubeIndex(std::span<const CubeStep> cubes);

  [[nodiscard]] const std::vector<CubeStep>& cubes() const { return cubes_; }

  /// The cube that has one part more than another, after all of its parts; 0 if there is none.
  [[nodiscard]] std::uint32_t child(std::uint32_t cube, std::uint32_t part) const;
  /// The cube of some parts in increasing order; 0 if there is none, and for no parts.
  [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> parts) const;
  /// The parts of a cube in increasing order.
  [[nodiscard]] std::vector<std::uint32_t> parts_of(std::uint32_t cube) const;
  /// Returns the cube of some parts in increasing order. Adds it and its subsets if they are not there yet.
  std::uint32_t add(const std::vector<std::uint32_t>& parts);

 private:
  static std::uint64_t key_of(std::uint32_t cube, std::uint32_t part) { return std::uint64_t{cube} << 32U | part; }

  std::vector<CubeStep> cubes_ = {{}};
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
};

/// Some numbers without the one at a place.
std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& numbers, std::size_t place);

}  // namespace pidforest::reasons
