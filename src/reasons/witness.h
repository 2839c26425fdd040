// SPDX-License-Identifier: Apache-2.0
// Chooses the cube that explains a row. The forest offers two kinds of cubes: the leaves that the row reaches, without
// the conditions that do not matter, and products of marks, which are rare parts of single axes. The cube that is worth
// most is chosen.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reasons/axis_marks.h"
#include "reasons/simplify.h"
#include "forest/code_book.h"
#include "forest/forest.h"
#include "pidforest/options.h"

namespace pidforest::reasons {

/// The name of a cube in a WitnessBook: a leaf, or a product of up to four marks. Without either, the root cube.
struct CubeName {
  static constexpr std::size_t most_marks = 4;
  static constexpr std::uint32_t none = AxisMarks::none;

  /// A leaf by tree and node.
  std::uint32_t tree = none;
  std::uint32_t leaf = none;
  /// Places of marks in increasing order, then `none`.
  std::array<std::uint32_t, most_marks> marks{none, none, none, none};

  auto operator<=>(const CubeName&) const = default;

  struct Hash {
    std::size_t operator()(const CubeName& name) const {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
      std::uint64_t hash = (std::uint64_t{name.tree} << 32U | name.leaf) * odd;
      for (const std::uint32_t mark : name.marks) hash = (std::rotl(hash, 29) ^ mark) * odd;
      return hash ^ hash >> 32U;
    }
  };
};

/// The cubes that a forest has for rows. There are finitely many, so rows that are rare for the same reason share one.
class WitnessBook {
 public:
  /// Further trees are not used: they hardly find other cubes.
  static constexpr std::size_t most_trees = 256;

  /// `sample` is a sample of the `n_rows` rows in which the cubes will be counted.
  WitnessBook(const forest::Forest& forest, const forest::Rows& sample, std::size_t n_rows, const Run& run);

  [[nodiscard]] geometry::Parts parts(const CubeName& name) const;
  [[nodiscard]] const AxisMarks& marks() const { return marks_; }
  /// Marks are joined only while their product has at least this volume. An even spread would put eight rows into it,
  /// so that a single row there is still remarkable.
  [[nodiscard]] double least_log2_volume() const { return least_log2_volume_; }
  /// The worth of the witness of each node of a tree; 0 for inner nodes.
  [[nodiscard]] std::span<const double> worths(std::size_t tree) const { return worths_[tree]; }
  [[nodiscard]] std::size_t n_trees() const { return worths_.size(); }

 private:
  AxisMarks marks_;
  double least_log2_volume_;
  std::vector<std::vector<LeafWitness>> leaves_;
  std::vector<std::vector<double>> worths_;
};

/// Chooses the cube that explains each row. Ties go to the first tree.
void choose_cubes(const forest::Forest& forest, const forest::CodeBook& codes, const WitnessBook& book,
                  const forest::Rows& rows, std::span<CubeName> chosen, const Run& run);

/// A leaf that a row reaches, in a tree with its root cube.
struct LeafOfRow {
  const forest::Tree* tree;
  std::span<const geometry::Interval> root;
  std::uint32_t leaf;
};

/// A cube without a book. `root` is the root cube that its volume is a share of.
struct ChosenCube {
  geometry::Parts parts;
  std::span<const geometry::Interval> root;
};

/// The cube that explains one row, by the rule of choose_cubes but without a book, for forests that change all the
/// time: only the leaves that are given are simplified, and `beyond`, the values beyond all root cubes on one axis, is
/// the only mark. There is at least one leaf.
ChosenCube choose_cube(std::span<const LeafOfRow> leaves, const std::optional<geometry::Part>& beyond,
                       const forest::Rows& sample);

}  // namespace pidforest::reasons
