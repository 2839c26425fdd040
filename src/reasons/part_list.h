// SPDX-License-Identifier: Apache-2.0
// Numbers distinct parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/part.h"

namespace pidforest::reasons {

/// A hash table with open addressing: a slot has the number of a part.
class PartList {
 public:
  [[nodiscard]] const std::vector<geometry::Part>& parts() const { return parts_; }

  /// Makes room for a number of parts.
  void reserve(std::size_t n) {
    parts_.reserve(n);
    if (2 * n > slots_.size()) grow(std::bit_ceil(2 * n));
  }

  /// The number of a part: its own, or the next one if it is new.
  std::uint32_t number_of(const geometry::Part& part) {
    if (2 * (parts_.size() + 1) > slots_.size()) grow(std::max<std::size_t>(2 * slots_.size(), fewest_slots));
    const std::uint64_t hash = hash_of(part);
    Slot& slot = slot_of(hash, [&](std::uint32_t number) { return parts_[number] == part; });
    if (slot.number == free) {
      slot = {static_cast<std::uint32_t>(parts_.size()), tag_of(hash)};
      parts_.push_back(part);
    }
    return slot.number;
  }

 private:
  static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t fewest_slots = 64;

  struct Slot {
    std::uint32_t number = free;
    /// A part of the hash, which spares most comparisons of parts.
    std::uint32_t tag = 0;
  };

  static std::uint64_t hash_of(const geometry::Part& part) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
    std::uint64_t hash = part.axis * 2 + (part.is_missing ? 1 : 0);
    const auto mix = [&](std::uint64_t more) { hash = (std::rotl(hash, 29) ^ more) * odd; };
    mix(std::bit_cast<std::uint64_t>(part.low));
    mix(std::bit_cast<std::uint64_t>(part.high));
    for (const geometry::CodeRange& range : part.levels) mix(std::uint64_t{range.begin} << 32U | range.end);
    return hash ^ hash >> 32U;
  }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

  /// The slot of a part, or the free one where it belongs.
  template <class IsPart>
  Slot& slot_of(std::uint64_t hash, const IsPart& is_part) {
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.number == free || (slot.tag == tag_of(hash) && is_part(slot.number))) return slot;
    }
  }

  void grow(std::size_t n_slots) {
    slots_.assign(n_slots, {});
    for (std::uint32_t number = 0; number < parts_.size(); ++number) {
      const std::uint64_t hash = hash_of(parts_[number]);
      slot_of(hash, [](std::uint32_t) { return false; }) = {number, tag_of(hash)};
    }
  }

  std::vector<geometry::Part> parts_;
  /// Their number is a power of two, and at least half of them are free.
  std::vector<Slot> slots_;
};

}  // namespace pidforest::reasons
