// SPDX-License-Identifier: Apache-2.0
// Declared in reasons/reasons.h.
#include <algorithm>
#include <utility>

#include "forest/count.h"
#include "geometry/logarithm.h"
#include "reasons/cube_index.h"
#include "reasons/node_parts.h"
#include "reasons/part_list.h"
#include "reasons/part_sets.h"
#include "reasons/products.h"
#include "reasons/reasons.h"
#include "reasons/simplify.h"
#include "system/parallel.h"

namespace pidforest::reasons {

using geometry::Part;
using geometry::Parts;

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Further trees are not used: they hardly find other cubes.
constexpr std::size_t most_trees = 64;

/// The parts that the trees of a forest cut out, and those beyond all trees.
class ForestParts {
 public:
  explicit ForestParts(const forest::Forest& forest) : bounds_(std::min(forest.trees.size(), most_trees)) {
    std::vector<bool> is_circle(forest.root.size());
    for (std::size_t tree = 0; tree < bounds_.size(); ++tree) survey(forest.trees[tree], bounds_[tree], is_circle);
    for (std::uint32_t axis = 0; axis < forest.root.size(); ++axis)
      for (const Part& part : parts_beyond(axis, forest.root[axis], is_circle[axis])) list_.number_of(part);
  }

  [[nodiscard]] PartList& list() { return list_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return list_.parts(); }
  [[nodiscard]] std::size_t n_trees() const { return bounds_.size(); }
  /// The numbers of the bounds of each node.
  [[nodiscard]] const std::vector<Numbers>& bounds(std::size_t tree) const { return bounds_[tree]; }

 private:
  void survey(const forest::Tree& tree, std::vector<Numbers>& bounds, std::vector<bool>& is_circle) {
    const std::vector<Parts> parts = node_parts(tree);
    bounds.resize(tree.nodes.size());
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      const forest::Node& node = tree.nodes[v];
      if (node.is_leaf()) continue;
      if (node.kind == geometry::AxisKind::cyclic) is_circle[node.axis] = true;
      for (std::uint32_t i = 0; i < node.n_children(); ++i)
        bounds[node.first_child + i] = bounds_of_child(bounds[v], node.axis, parts[node.first_child + i]);
    }
  }

  /// A child has the bounds of its parent, except on the axis of the cut.
  Numbers bounds_of_child(const Numbers& of_parent, std::uint32_t axis, const Parts& parts) {
    Numbers bounds;
    for (const std::uint32_t bound : of_parent)
      if (list_.parts()[bound].axis != axis) bounds.push_back(bound);
    const Part& own = *std::ranges::find(parts, axis, &Part::axis);
    (void)list_.number_of(own);  // the whole part may be a mark
    for (const Part& bound : geometry::bounds_of(own)) bounds.push_back(list_.number_of(bound));
    return bounds;
  }

  PartList list_;
  std::vector<std::vector<Numbers>> bounds_;
};

/// The sample rows that each of some parts holds.
class SampleSets {
 public:
  SampleSets(const forest::Forest& forest, const forest::CodeBook& book, const std::vector<Part>& parts,
             const forest::Rows& sample)
      : n_blocks_((sample.n + forest::block_rows - 1) / forest::block_rows), sets_(parts.size() * n_blocks_) {
    const PartSets part_sets(forest, book, parts);
    forest::RowBlock block(book, forest);
    std::vector<BlockSet> memory;
    for (std::size_t i = 0; i < n_blocks_; ++i) {
      block.load(sample, i * forest::block_rows);
      part_sets.find(block, sample, i * forest::block_rows, memory, &sets_[i], n_blocks_);
    }
    for (std::uint32_t part = 0; part < parts.size(); ++part) counts_.push_back(size_of(rows_of(part)));
  }

  [[nodiscard]] std::span<const BlockSet> rows_of(std::uint32_t part) const {
    return std::span(sets_).subspan(part * n_blocks_, n_blocks_);
  }
  [[nodiscard]] std::uint64_t count(std::uint32_t part) const { return counts_[part]; }

 private:
  std::size_t n_blocks_;
  std::vector<BlockSet> sets_;
  std::vector<std::uint64_t> counts_;
};

class Collector {
 public:
  Collector(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample)
      : forest_(forest), book_(book), sample_(sample), parts_(forest), sets_(forest, book, parts_.parts(), sample) {
    for (const Part& part : parts_.parts())
      log2_shares_.push_back(geometry::portable_log2(share_of(part, forest.root[part.axis])));
  }

  Reasons collect(std::size_t n_rows, const RowSource& all_rows, const Run& run) {
    simplify(run);
    find_marks();
    // An even spread would put eight rows into a product, so that a single row there is still remarkable.
    const double least_log2_volume = 3 - geometry::portable_log2(static_cast<double>(n_rows));
    products_ = find_products(
        forest_, lines_, [&](std::uint32_t mark) { return marked_rows(mark - 1); }, sample_.n, least_log2_volume,
        all_rows);
    return assemble();
  }

 private:
  /// Finds the leaves that need several conditions. A single condition is a mark.
  void simplify(const Run& run) {
    const Counts counts = forest::count_rows(forest_, book_, sample_, run);
    witnesses_.resize(parts_.n_trees());
    std::vector<Simplifier> simplifiers(system::threads_for(run, witnesses_.size()),
                                        Simplifier(forest_.root, sample_.n));
    system::parallel_for(witnesses_.size(), run, "finding reasons", [&](std::size_t tree, unsigned worker) {
      const forest::Tree& nodes = forest_.trees[tree];
      witnesses_[tree].resize(nodes.nodes.size());
      for (std::uint32_t v = 0; v < nodes.nodes.size(); ++v) {
        const bool is_sparse =
            geometry::bits_of(nodes.log2_volumes[v], counts.trees[tree][v], sample_.n) > price_of_condition;
        if (!nodes.nodes[v].is_leaf() || !is_sparse) continue;
        Parts parts = simplify_leaf(tree, v, counts.trees[tree][v], simplifiers[worker]);
        if (parts.size() > 1) witnesses_[tree][v] = std::move(parts);
      }
    });
  }

  Parts simplify_leaf(std::size_t tree, std::uint32_t leaf, std::uint64_t n_inside, Simplifier& simplifier) const {
    const std::vector<Part>& parts = parts_.parts();
    std::vector<LeafBound> bounds;
    for (const std::uint32_t bound : parts_.bounds(tree)[leaf])
      bounds.push_back({&parts[bound], sets_.rows_of(bound), sets_.count(bound), log2_shares_[bound]});
    return simplifier.simplify(bounds, n_inside).parts;
  }

  void find_marks() {
    const std::vector<Part>& parts = parts_.parts();
    std::vector<std::vector<RarePart>> rare(forest_.root.size());
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      const double bits = bits_of(part);
      if (bits > price_of_condition)
        rare[parts[part].axis].push_back({&parts[part], part + 1, sets_.count(part), bits});
    }
    for (std::vector<RarePart>& some : rare) lines_.push_back(find_lines(std::move(some)));
  }

  [[nodiscard]] double bits_of(std::uint32_t part) const {
    return geometry::bits_of(log2_shares_[part], sets_.count(part), sample_.n);
  }
  [[nodiscard]] MarkedRows marked_rows(std::uint32_t part) const {
    return {sets_.rows_of(part), sets_.count(part), log2_shares_[part], bits_of(part)};
  }

  /// Replaces the parts that are used by numbers in the order of `comes_before`, and adds all cubes.
  Reasons assemble() {
    PartList& list = parts_.list();
    std::vector<std::vector<Numbers>> leaves;
    for (const std::vector<Parts>& of_tree : witnesses_) {
      leaves.emplace_back();
      for (const Parts& parts : of_tree) {
        leaves.back().emplace_back();
        for (const Part& part : parts) leaves.back().back().push_back(list.number_of(part));
      }
    }
    Reasons reasons;
    const Numbers places = place_used(leaves, reasons.parts);
    CubeIndex cubes;
    const auto cube_of = [&](Numbers numbers) {
      for (std::uint32_t& number : numbers) number = places[number];
      std::ranges::sort(numbers);
      return cubes.add(numbers);
    };
    const auto cube_of_mark = [&](std::uint32_t mark) { return mark == 0 ? 0 : cube_of({mark - 1}); };
    for (Lines& lines : lines_) {
      for (std::uint32_t& mark : lines.marks) mark = cube_of_mark(mark);
      lines.of_missing = cube_of_mark(lines.of_missing);
    }
    for (Numbers product : products_) {
      for (std::uint32_t& mark : product) --mark;
      cube_of(product);
    }
    for (const std::vector<Numbers>& of_tree : leaves) {
      reasons.leaves.emplace_back();
      for (const Numbers& numbers : of_tree) reasons.leaves.back().push_back(cube_of(numbers));
    }
    reasons.lines = std::move(lines_);
    reasons.cubes = cubes.cubes();
    reasons.counts.assign(reasons.cubes.size(), 0);
    return reasons;
  }

  /// Sets `used` to the parts of all leaves and marks, in order. Returns the places of all parts there.
  Numbers place_used(const std::vector<std::vector<Numbers>>& leaves, std::vector<Part>& used) {
    const std::vector<Part>& parts = parts_.parts();
    std::vector<bool> is_used(parts.size());
    for (const auto& of_tree : leaves)
      for (const Numbers& numbers : of_tree)
        for (const std::uint32_t number : numbers) is_used[number] = true;
    for (const Lines& lines : lines_) {
      for (const std::uint32_t mark : lines.marks)
        if (mark != 0) is_used[mark - 1] = true;
      if (lines.of_missing != 0) is_used[lines.of_missing - 1] = true;
    }
    Numbers order;
    for (std::uint32_t number = 0; number < parts.size(); ++number)
      if (is_used[number]) order.push_back(number);
    std::ranges::sort(order, geometry::comes_before,
                      [&](std::uint32_t number) -> const Part& { return parts[number]; });
    Numbers places(parts.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      places[order[place]] = place;
      used.push_back(parts[order[place]]);
    }
    return places;
  }

  const forest::Forest& forest_;
  const forest::CodeBook& book_;
  const forest::Rows& sample_;
  ForestParts parts_;
  SampleSets sets_;
  std::vector<double> log2_shares_;
  /// Per tree and node.
  std::vector<std::vector<Parts>> witnesses_;
  /// Marks are numbers of parts, counted from 1.
  std::vector<Lines> lines_;
  std::vector<Numbers> products_;
};

}  // namespace

Reasons collect_reasons(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample,
                        std::size_t n_rows, const RowSource& all_rows, const Run& run) {
  return Collector(forest, book, sample).collect(n_rows, all_rows, run);
}

}  // namespace pidforest::reasons
