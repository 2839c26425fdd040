// SPDX-License-Identifier: Apache-2.0
// Declared in reasons/reasons.h.
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "geometry/logarithm.h"
#include "reasons/cube_index.h"
#include "reasons/forest_parts.h"
#include "reasons/part_list.h"
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
