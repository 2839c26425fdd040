// SPDX-License-Identifier: Apache-2.0
// Declared in reasons/reasons.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
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

/// A part is a mark if it has more bits.
constexpr double least_bits_of_mark = price_of_column + price_of_bound;

/// The bounds of a node, as places in a list. The first `n_new` are new: its parent does not have them.
struct NodeBounds {
  std::size_t first = 0;
  std::uint32_t n = 0;
  std::uint32_t n_new = 0;
};

/// The parts that the trees of a forest cut out, and those beyond all trees. Parts are numbered: first the bounds, then
/// the ranges, which have two bounds each.
class ForestParts {
 public:
  explicit ForestParts(const forest::Forest& forest) : of_trees_(std::min(forest.trees.size(), most_reason_trees)) {
    std::size_t n_nodes = 0;
    for (std::size_t tree = 0; tree < of_trees_.size(); ++tree) n_nodes += forest.trees[tree].nodes.size();
    bounds_.reserve(n_nodes);
    ranges_.reserve(n_nodes);
    std::vector<bool> is_circle(forest.root.size());
    for (std::size_t tree = 0; tree < of_trees_.size(); ++tree) survey(forest.trees[tree], of_trees_[tree], is_circle);
    for (std::uint32_t axis = 0; axis < forest.root.size(); ++axis)
      for (const Part& part : parts_beyond(axis, forest.root[axis], is_circle[axis])) (void)bounds_.number_of(part);
  }

  [[nodiscard]] const std::vector<Part>& bounds() const { return bounds_.parts(); }
  [[nodiscard]] std::size_t n_parts() const { return bounds().size() + halves_.size(); }
  [[nodiscard]] const Part& part(std::size_t number) const {
    return number < bounds().size() ? bounds()[number] : ranges_.parts()[number - bounds().size()];
  }
  /// The two bounds of a range.
  [[nodiscard]] const std::pair<std::uint32_t, std::uint32_t>& halves(std::size_t number) const {
    return halves_[number - bounds().size()];
  }
  [[nodiscard]] std::size_t n_trees() const { return of_trees_.size(); }
  /// The bounds of each node.
  [[nodiscard]] const std::vector<NodeBounds>& of_tree(std::size_t tree) const { return of_trees_[tree]; }
  [[nodiscard]] std::span<const std::uint32_t> numbers(const NodeBounds& of_node) const {
    return std::span(listed_).subspan(of_node.first, of_node.n);
  }

 private:
  void survey(const forest::Tree& tree, std::vector<NodeBounds>& bounds, std::vector<bool>& is_circle) {
    bounds.resize(tree.nodes.size());
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      const forest::Node& node = tree.nodes[v];
      if (node.is_leaf()) continue;
      if (node.kind == geometry::AxisKind::cyclic) is_circle[node.axis] = true;
      const std::optional<Part> before = part_on(node.axis, bounds[v]);
      for (std::uint32_t i = 0; i < node.n_children(); ++i)
        bounds[node.first_child + i] = with_part(bounds[v], part_of_child(tree, node, i, before ? &*before : nullptr));
    }
  }

  /// The part of an axis that some bounds leave; nullopt if it is all of the axis.
  [[nodiscard]] std::optional<Part> part_on(std::uint32_t axis, const NodeBounds& of_node) const {
    std::optional<Part> part;
    for (const std::uint32_t bound : numbers(of_node))
      if (bounds()[bound].axis == axis) part = part ? joined(*part, bounds()[bound]) : bounds()[bound];
    return part;
  }

  /// The bounds of a child: those of its parent, except on the axis of the cut, where it has a part of its own.
  NodeBounds with_part(const NodeBounds& of_parent, const Part& own) {
    const geometry::Bounds own_bounds = geometry::bounds_of(own);
    std::array<std::uint32_t, 2> both{};
    const auto own_numbers = std::span(both).first(own_bounds.size());
    std::ranges::transform(own_bounds, both.begin(), [&](const Part& bound) { return bounds_.number_of(bound); });
    if (own_numbers.size() == 2 && ranges_.number_of(own) == halves_.size()) halves_.emplace_back(both[0], both[1]);
    const auto has = [](std::span<const std::uint32_t> some, std::uint32_t bound) {
      return std::ranges::find(some, bound) != some.end();
    };
    const std::size_t first = listed_.size();
    for (const std::uint32_t bound : own_numbers)
      if (!has(numbers(of_parent), bound)) listed_.push_back(bound);
    const std::size_t n_new = listed_.size() - first;
    for (std::size_t place = of_parent.first; place < of_parent.first + of_parent.n; ++place) {
      const std::uint32_t bound = listed_[place];  // the list may move when it grows
      if (bounds()[bound].axis != own.axis || has(own_numbers, bound)) listed_.push_back(bound);
    }
    return {first, static_cast<std::uint32_t>(listed_.size() - first), static_cast<std::uint32_t>(n_new)};
  }

  PartList bounds_;
  PartList ranges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> halves_;
  std::vector<std::vector<NodeBounds>> of_trees_;
  /// The bounds of all nodes.
  Numbers listed_;
};

/// The sample rows that each part holds, and the number of them that reach each node. Only bounds have sets; a range is
/// the intersection of two.
class SampleSets {
 public:
  SampleSets(const forest::Forest& forest, const forest::CodeBook& book, const ForestParts& parts,
             const forest::Rows& sample, const Run& run)
      : parts_(parts),
        n_blocks_((sample.n + forest::block_rows - 1) / forest::block_rows),
        sets_(std::make_unique_for_overwrite<BlockSet[]>(parts.bounds().size() * n_blocks_)) {
    const PartSets part_sets(forest, book, parts.bounds());
    const Block none{.parts = &part_sets, .sets = sets_.get(), .n_blocks = n_blocks_, .trees = {forest, book, parts.n_trees()}};
    const std::vector<Block> blocks =
        forest::count_blocks(forest::RowBlock(book, forest), none, sample, run, "finding reasons");
    reached_ = blocks[0].trees.counts();
    for (std::size_t i = 1; i < blocks.size(); ++i) reached_ += blocks[i].trees.counts();
    for (std::size_t bound = 0; bound < parts.bounds().size(); ++bound) counts_.push_back(size_of(rows_of(bound)));
    count_ranges(sample);
  }

  [[nodiscard]] std::span<const BlockSet> rows_of(std::size_t bound) const {
    return {sets_.get() + bound * n_blocks_, n_blocks_};
  }
  [[nodiscard]] std::vector<BlockSet> rows_of_part(std::size_t part) const {
    if (part < parts_.bounds().size()) return {rows_of(part).begin(), rows_of(part).end()};
    std::vector<BlockSet> both(n_blocks_);
    intersect(rows_of(parts_.halves(part).first), rows_of(parts_.halves(part).second), both);
    return both;
  }
  [[nodiscard]] std::uint64_t count(std::size_t part) const { return counts_[part]; }
  /// The number of rows that reach each node of a tree.
  [[nodiscard]] const std::vector<std::uint64_t>& reached(std::size_t tree) const { return reached_.trees[tree]; }

 private:
  /// The working memory of one thread, which writes its blocks of all sets.
  struct Block {
    const PartSets* parts;
    BlockSet* sets;
    std::size_t n_blocks;
    forest::TreeCounter trees;
    std::vector<BlockSet> memory = {};

    void add(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin) {
      parts->find(block, rows, begin, memory, sets + begin / forest::block_rows, n_blocks);
      trees.add(block, rows, begin);
    }
  };

  /// Every value is inside one of a range's bounds at least, so the counts of the two tell how many are inside both.
  void count_ranges(const forest::Rows& sample) {
    std::vector<std::uint64_t> n_present;
    for (const forest::StridedColumn& column : sample.columns) {
      n_present.push_back(0);
      for (std::size_t row = 0; row < sample.n; ++row) n_present.back() += std::isnan(column[row]) ? 0 : 1;
    }
    for (std::size_t part = parts_.bounds().size(); part < parts_.n_parts(); ++part)
      counts_.push_back(counts_[parts_.halves(part).first] + counts_[parts_.halves(part).second] -
                        n_present[parts_.part(part).axis]);
  }

  const ForestParts& parts_;
  std::size_t n_blocks_;
  std::unique_ptr<BlockSet[]> sets_;  // NOLINT(modernize-avoid-c-arrays): a vector would be filled twice
  std::vector<std::uint64_t> counts_;
  Counts reached_;
};

}  // namespace

class CubeSearch::Collector {
 public:
  Collector(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample, const Run& run)
      : forest_(forest), sample_(sample), parts_(forest), sets_(forest, book, parts_, sample, run), logs_(sample.n) {
    for (std::size_t part = 0; part < parts_.n_parts(); ++part)
      log2_shares_.push_back(is_needed(part) ? log2_share_of(parts_.part(part)) : 0);
    simplify(run);
    find_marks();
  }

  [[nodiscard]] StrongMarks strong_marks() const {
    const double least_bits = least_bits_of_product(forest_);
    StrongMarks marks{.lines = lines_};
    const auto keep_strong = [&](std::uint32_t& mark) {
      const double bits = mark == 0 ? 0 : bits_of(mark - 1);
      if (bits > least_bits)
        marks.bits.emplace(mark, bits);
      else
        mark = 0;
    };
    for (Lines& lines : marks.lines) {
      std::ranges::for_each(lines.marks, keep_strong);
      keep_strong(lines.of_missing);
    }
    return marks;
  }

  Reasons collect(std::size_t n_rows, const MarkSets& sets) {
    // An even spread would put eight rows into a product, so that a single row there is still remarkable.
    const double least_log2_volume = 3 - geometry::portable_log2(static_cast<double>(n_rows));
    const auto rows_of = [&](std::uint32_t mark) {
      return MarkedRows{sets_.rows_of_part(mark - 1), sets_.count(mark - 1), log2_shares_[mark - 1]};
    };
    products_ = find_products(sets, rows_of, sample_.n, least_log2_volume);
    return assemble();
  }

 private:
  /// A range is needed only if it may be rare, which takes few rows.
  [[nodiscard]] bool is_needed(std::size_t part) const {
    return part < parts_.bounds().size() || logs_.of_all() - logs_.of(sets_.count(part)) > least_bits_of_mark;
  }
  [[nodiscard]] double log2_share_of(const Part& part) const {
    return geometry::portable_log2(share_of(part, forest_.root[part.axis]));
  }

  /// Finds the leaves that need several conditions. A single condition is a mark.
  void simplify(const Run& run) {
    leaves_.resize(parts_.n_trees());
    std::vector<LeafBound> bounds;
    for (std::size_t part = 0; part < parts_.bounds().size(); ++part)
      bounds.emplace_back(parts_.part(part), sets_.rows_of(part), sets_.count(part), log2_shares_[part], logs_);
    std::vector<Simplifier> simplifiers(system::threads_for(run, leaves_.size()),
                                        Simplifier(forest_.root, logs_, sample_.n));
    system::parallel_for(leaves_.size(), run, "finding reasons", [&](std::size_t tree, unsigned worker) {
      leaves_[tree] = simplify_tree(tree, sets_.reached(tree), bounds, simplifiers[worker]);
    });
  }

  /// The best choice among the bounds of a node is that of its parent, or has one of the node's new bounds.
  [[nodiscard]] std::vector<Parts> simplify_tree(std::size_t tree, const std::vector<std::uint64_t>& counts,
                                                 const std::vector<LeafBound>& all, Simplifier& simplifier) const {
    const std::vector<forest::Node>& nodes = forest_.trees[tree].nodes;
    std::vector<Simplifier::Choice> choices(1);     // the first has no conditions
    std::vector<std::uint32_t> best(nodes.size());  // the choice of each node
    std::vector<Parts> leaves(nodes.size());
    for (std::uint32_t v = 0; v < nodes.size(); ++v) {
      if (nodes[v].is_leaf() && choices[best[v]].n > 1) leaves[v] = parts_of(choices[best[v]], all);
      if (leaves[v].size() == 1) leaves[v].clear();  // both bounds of a range are one condition
      for (std::uint32_t i = 0; i < nodes[v].n_children() && !nodes[v].is_leaf(); ++i) {
        const std::uint32_t child = nodes[v].first_child + i;
        best[child] = best[v];
        if (!simplifier.may_need_two(counts[child])) continue;
        const NodeBounds& own = parts_.of_tree(tree)[child];
        const auto better =
            simplifier.simplify({all, parts_.numbers(own), own.n_new, counts[child]}, choices[best[v]].worth);
        if (!better) continue;
        best[child] = static_cast<std::uint32_t>(choices.size());
        choices.push_back(*better);
      }
    }
    return leaves;
  }

  void find_marks() {
    std::vector<std::vector<RarePart>> rare(forest_.root.size());
    for (std::uint32_t number = 0; number < parts_.n_parts(); ++number) {
      if (!is_needed(number)) continue;
      const Part& part = parts_.part(number);
      if (const double bits = bits_of(number); bits > least_bits_of_mark)
        rare[part.axis].push_back({&part, number + 1, sets_.count(number), bits});
    }
    for (std::vector<RarePart>& some : rare) lines_.push_back(find_lines(std::move(some)));
  }

  [[nodiscard]] double bits_of(std::uint32_t part) const {
    return log2_shares_[part] + logs_.of_all() - logs_.of(sets_.count(part));
  }

  /// Adds all cubes, with the parts that they need in the order of `comes_before`.
  Reasons assemble() {
    for (const auto& of_tree : leaves_)
      for (const Parts& parts : of_tree)
        for (const Part& part : parts) (void)told_.number_of(part);
    for (const Lines& lines : lines_) {
      for (const std::uint32_t mark : lines.marks) (void)number_of_mark(mark);
      (void)number_of_mark(lines.of_missing);
    }
    Reasons reasons;
    places_ = sorted_places(reasons.parts);
    for (Lines& lines : lines_) {
      for (std::uint32_t& mark : lines.marks) mark = cube_of_marks({mark});
      lines.of_missing = cube_of_marks({lines.of_missing});
    }
    for (const Numbers& product : products_) cube_of_marks(product);
    for (const auto& of_tree : leaves_) {
      reasons.leaves.emplace_back();
      for (const Parts& parts : of_tree) reasons.leaves.back().push_back(cube_of(parts));
    }
    reasons.lines = std::move(lines_);
    reasons.cubes = cubes_.cubes();
    reasons.counts.assign(reasons.cubes.size(), 0);
    return reasons;
  }

  std::uint32_t number_of_mark(std::uint32_t mark) { return mark == 0 ? 0 : told_.number_of(parts_.part(mark - 1)); }

  /// Sets `parts` to the told parts in order, and returns the places of their numbers.
  [[nodiscard]] Numbers sorted_places(std::vector<Part>& parts) const {
    Numbers order(told_.parts().size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, geometry::comes_before,
                      [&](std::uint32_t number) -> const Part& { return told_.parts()[number]; });
    Numbers places(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      places[order[place]] = place;
      parts.push_back(told_.parts()[order[place]]);
    }
    return places;
  }

  std::uint32_t cube_of(const Parts& parts) {
    Numbers numbers;
    for (const Part& part : parts) numbers.push_back(places_[told_.number_of(part)]);
    std::ranges::sort(numbers);
    return cubes_.add(numbers);
  }
  std::uint32_t cube_of_marks(const Numbers& marks) {
    if (marks[0] == 0) return 0;
    Parts parts;
    for (const std::uint32_t mark : marks) parts.push_back(parts_.part(mark - 1));
    return cube_of(parts);
  }

  const forest::Forest& forest_;
  const forest::Rows& sample_;
  ForestParts parts_;
  SampleSets sets_;
  RowLogs logs_;
  /// 0 for parts that are not needed.
  std::vector<double> log2_shares_;
  /// The conditions of each node, per tree.
  std::vector<std::vector<Parts>> leaves_;
  /// Marks are numbers of parts, counted from 1.
  std::vector<Lines> lines_;
  std::vector<Numbers> products_;
  PartList told_;
  /// The place of each told part in Reasons::parts.
  Numbers places_;
  CubeIndex cubes_;
};

CubeSearch::CubeSearch(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample,
                       const Run& run)
    : collector_(std::make_unique<Collector>(forest, book, sample, run)) {}
CubeSearch::~CubeSearch() = default;

StrongMarks CubeSearch::strong_marks() const { return collector_->strong_marks(); }
Reasons CubeSearch::collect(std::size_t n_rows, const MarkSets& sets) { return collector_->collect(n_rows, sets); }

Reasons collect_reasons(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample,
                        std::size_t n_rows, const RowSource& all_rows, const Run& run) {
  CubeSearch search(forest, book, sample, run);
  const StrongMarks marks = search.strong_marks();
  MarkSets sets;
  if (marks.can_meet()) {
    const MarkFinder finder(marks, forest.root);
    std::uint64_t first_row = 0;
    all_rows([&](const forest::Rows& rows) {
      finder.add(rows, first_row, sets);
      first_row += rows.n;
    });
  }
  return search.collect(n_rows, sets);
}

}  // namespace pidforest::reasons
