// SPDX-License-Identifier: Apache-2.0
// Chooses the cube that explains one row without a list of cubes, for forests that change all the time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "forest/forest.h"
#include "geometry/part.h"

namespace pidforest::reasons {

/// A leaf that a row reaches, in a tree with its root cube.
struct LeafOfRow {
  const forest::Tree* tree;
  std::span<const geometry::Interval> root;
  std::uint32_t leaf;
};

/// A cube, and the root cube that its volume is a share of.
struct ChosenCube {
  geometry::Parts parts;
  std::span<const geometry::Interval> root;
};

/// The cube with the most net bits among the leaves that are given, without their idle conditions, and `beyond`, the
/// values beyond all root cubes on one axis, of which `root_of_beyond` is one that has the axis. `sample` has all rows
/// that count. There is at least one leaf.
ChosenCube choose_cube(std::span<const LeafOfRow> leaves, const std::optional<geometry::Part>& beyond,
                       const forest::Rows& sample, std::span<const geometry::Interval> root_of_beyond);

}  // namespace pidforest::reasons
