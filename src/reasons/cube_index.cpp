// SPDX-License-Identifier: Apache-2.0
#include "reasons/cube_index.h"

#include <algorithm>

namespace pidforest::reasons {

CubeIndex::CubeIndex(std::span<const CubeStep> cubes) : cubes_(cubes.begin(), cubes.end()) {
  children_.reserve(cubes.size());
  for (std::uint32_t cube = 1; cube < cubes.size(); ++cube)
    children_.emplace(key_of(cubes[cube].parent, cubes[cube].part), cube);
}

std::uint32_t CubeIndex::child(std::uint32_t cube, std::uint32_t part) const {
  const auto found = children_.find(key_of(cube, part));
  return found == children_.end() ? 0 : found->second;
}

std::uint32_t CubeIndex::find(std::span<const std::uint32_t> parts) const {
  std::uint32_t cube = 0;
  for (std::size_t i = 0; i < parts.size() && (i == 0 || cube != 0); ++i) cube = child(cube, parts[i]);
  return cube;
}

std::vector<std::uint32_t> CubeIndex::parts_of(std::uint32_t cube) const {
  std::vector<std::uint32_t> parts;
  for (; cube != 0; cube = cubes_[cube].parent) parts.push_back(cubes_[cube].part);
  std::ranges::reverse(parts);
  return parts;
}

std::uint32_t CubeIndex::add(const std::vector<std::uint32_t>& parts) {
  if (parts.empty()) return 0;
  if (const std::uint32_t known = find(parts); known != 0) return known;
  std::uint32_t parent = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) parent = add(without(parts, i));  // the last one lacks the last part
  const auto cube = static_cast<std::uint32_t>(cubes_.size());
  cubes_.push_back({parent, parts.back()});
  children_.emplace(key_of(parent, parts.back()), cube);
  return cube;
}

std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& numbers, std::size_t place) {
  std::vector<std::uint32_t> fewer = numbers;
  fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(place));
  return fewer;
}

}  // namespace pidforest::reasons
