// SPDX-License-Identifier: Apache-2.0
// Which axes go together, and the axes that a tree may cut for that reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "geometry/axis_kind.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// Two axes that go together, the lower number first.
struct Relation {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  /// The mutual information, in nats.
  double information = 0;

  bool operator==(const Relation&) const = default;
};

/// An axis as its relations see it.
struct RelatedAxis {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  /// The period of a circle.
  double period = 0;
};

/// The relations between the axes of a sample of rows. Each axis is cut at its first and its third quartile, levels in
/// the order of their frequency, circles from the value of the first row on. Two axes are related if one of their four
/// tables of two by two cells has a mutual information above `least_information`; if one of them has levels, also if
/// their table by levels has, less the information that chance gives it.
class Relations {
 public:
  static constexpr double least_information = 0.01;
  static constexpr std::size_t most_kept = 1024;

  /// No relations.
  Relations() = default;
  Relations(const SortedRows& sample, std::span<const RelatedAxis> axes, const Run& run);

  /// In increasing order; without the axis itself.
  [[nodiscard]] std::vector<std::uint32_t> relatives(std::uint32_t axis) const;
  /// The axes with and without relatives, in increasing order. An axis that does not vary is in neither.
  [[nodiscard]] const std::vector<std::uint32_t>& related() const { return related_; }
  [[nodiscard]] const std::vector<std::uint32_t>& unrelated() const { return unrelated_; }
  /// The relations with the most information, at most `most_kept`, the strongest first.
  [[nodiscard]] const std::vector<Relation>& strongest() const { return strongest_; }

 private:
  std::vector<Relation> strongest_;
  /// One bit for each pair of axes: all axes of a wide table may be related.
  std::vector<std::vector<bool>> relatives_;
  std::vector<std::uint32_t> related_;
  std::vector<std::uint32_t> unrelated_;
};

/// The strongest of some relations, at most `most_kept`, each once and the strongest first.
std::vector<Relation> strongest_of(std::vector<Relation> relations);

/// A tree, and its number among those that look through the same view.
struct Turn {
  std::uint32_t tree = 0;
  std::uint32_t turn = 0;
};

/// The axes that a tree may cut.
struct RelatedView {
  /// True for a tree that looks where axes go together: it may cut all of `axes` at its root, and only the root's axis
  /// and its relatives below.
  bool is_related = false;
  /// In increasing order.
  std::vector<std::uint32_t> axes;
};

/// A share `related_share` of the trees has a view of the related axes. The others see all `n_axes` axes, or by chance,
/// the more unrelated axes there are, only the unrelated ones. Without a relation every tree sees all axes.
RelatedView view_of_tree(const Relations& relations, std::size_t n_axes, const Options& options, const Turn& turn);

}  // namespace pidforest::forest
