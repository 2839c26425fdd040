// SPDX-License-Identifier: Apache-2.0
// Grows one tree: the Fit box of the paper.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forest/relations.h"
#include "forest/sample.h"
#include "forest/tree.h"
#include "geometry/axis.h"
#include "geometry/cube.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// A node that is about to be split: its number, its sample rows, and its cube.
struct GrowingNode {
  std::uint32_t number;
  /// The node's rows are at positions begin .. end of the cut rule's order.
  std::size_t begin;
  std::size_t end;
  const geometry::Cube* cube;
};

struct AxisSplit {
  std::uint32_t axis;
  geometry::Split split;
};

/// The difference between sampled and optimal cuts: which split they find for a node.
class CutRule {
 public:
  virtual ~CutRule() = default;

  /// Returns the axis to cut and the cut; nullopt if the node becomes a leaf.
  virtual std::optional<AxisSplit> find_split(const GrowingNode& node) = 0;

  /// The sample rows in the cut rule's order; the rows of a node are side by side.
  [[nodiscard]] virtual std::span<const std::uint32_t> order() const = 0;

  /// Reorders the node's rows so that those of child i are at positions borders[i] .. borders[i + 1], keeping their
  /// order.
  virtual void divide(std::span<const std::size_t> borders, std::span<const std::uint8_t> child_of_row) = 0;
};

/// The parameters of growing a tree, in addition to the data.
struct GrowSettings {
  const Options* options;
  std::uint32_t tree;
  const Run* run;
  /// The number of the tree among those that look through the same view.
  std::uint32_t turn = 0;
  /// Sampled cuts: the relations that give the tree its view. Without them it sees all axes.
  const Relations* relations = nullptr;
  /// False only in a test that shows that pruning by upper bounds does not change the tree.
  bool prune = true;
};

/// The axes, in the order of the sample's axes.
using Axes = std::vector<std::shared_ptr<const geometry::Axis>>;

/// `root` has the intervals of the root cube.
std::unique_ptr<CutRule> sampled_cuts(const Sample& sample, const Axes& axes, std::span<const geometry::Interval> root,
                                      const GrowSettings& settings);
std::unique_ptr<CutRule> optimal_cuts(const Sample& sample, const Axes& axes, const GrowSettings& settings);

/// Grows a tree on `sample`; the root cube has the intervals `root`.
Tree grow(const Sample& sample, const Axes& axes, const std::vector<geometry::Interval>& root,
          const GrowSettings& settings);

}  // namespace pidforest::forest
