// SPDX-License-Identifier: Apache-2.0
// Numbers distinct parts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "geometry/part.h"

namespace pidforest::reasons {

class PartList {
 public:
  [[nodiscard]] const std::vector<geometry::Part>& parts() const { return parts_; }

  /// Makes room for a number of parts.
  void reserve(std::size_t n) {
    parts_.reserve(n);
    numbers_.reserve(n);
  }

  /// The number of a part: its own, or the next one if it is new.
  std::uint32_t number_of(const geometry::Part& part) {
    const auto [place, is_new] = numbers_.try_emplace(part, static_cast<std::uint32_t>(parts_.size()));
    if (is_new) parts_.push_back(part);
    return place->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const geometry::Part& part) const {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
      std::uint64_t hash = part.axis * 2 + (part.is_missing ? 1 : 0);
      const auto mix = [&](std::uint64_t more) { hash = (std::rotl(hash, 29) ^ more) * odd; };
      mix(std::bit_cast<std::uint64_t>(part.low));
      mix(std::bit_cast<std::uint64_t>(part.high));
      for (const geometry::CodeRange& range : part.levels) mix(std::uint64_t{range.begin} << 32U | range.end);
      return hash ^ hash >> 32U;
    }
  };

  std::vector<geometry::Part> parts_;
  std::unordered_map<geometry::Part, std::uint32_t, Hash> numbers_;
};

}  // namespace pidforest::reasons
