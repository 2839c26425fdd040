// SPDX-License-Identifier: Apache-2.0
#include "reasons/reason_book.h"

#include <algorithm>
#include <array>

#include "forest/route.h"
#include "geometry/logarithm.h"
#include "reasons/simplify.h"
#include "system/parallel.h"

namespace pidforest::reasons {

/// The working memory of one thread.
class ReasonBook::Block {
 public:
  explicit Block(const ReasonBook& book) : book_(book), block_(book.codes_, book.forest_) {}

  void choose(const forest::Rows& rows, std::size_t begin, std::span<std::uint32_t> chosen) {
    block_.load(rows, begin);
    find_best_leaves();
    for (std::size_t i = 0; i < block_.n_rows(); ++i) chosen[begin + i] = cube_of_row(rows, begin + i, i);
  }

 private:
  /// The only place that decides which cube is told. `i` is the place of the row in the block.
  [[nodiscard]] std::uint32_t cube_of_row(const forest::Rows& rows, std::size_t row, std::size_t i) const {
    const std::uint32_t of_marks = book_.best_of_marks(rows, row);
    if (book_.worth_of(of_marks) > best_[i]) return of_marks;
    if (best_[i] <= 0) return 0;
    const std::uint32_t leaf = forest::route_plain(book_.forest_.trees[tree_of_[i]], rows, row);
    return book_.told_[book_.reasons_.leaves[tree_of_[i]][leaf]];
  }

  void find_best_leaves() {
    best_.fill(0.0);
    for (std::uint32_t tree = 0; tree < book_.worths_.size(); ++tree) {
      const forest::CodedTree coded(book_.forest_, book_.codes_, tree);
      forest::route(coded, block_, reached_);
      worths_.fill(0.0);
      forest::add_values(coded, reached_, book_.worths_[tree], block_.has_missing(), worths_);
      for (std::size_t i = 0; i < forest::block_rows; ++i) {
        tree_of_[i] = worths_[i] > best_[i] ? tree : tree_of_[i];
        best_[i] = std::max(worths_[i], best_[i]);
      }
    }
  }

  const ReasonBook& book_;
  forest::RowBlock block_;
  std::vector<BlockSet> reached_;
  alignas(BlockSet) std::array<double, forest::block_rows> worths_{};
  alignas(BlockSet) std::array<double, forest::block_rows> best_{};
  std::array<std::uint32_t, forest::block_rows> tree_of_{};
};

ReasonBook::ReasonBook(const forest::Forest& forest, const forest::CodeBook& codes, const Reasons& reasons)
    : forest_(forest), codes_(codes), reasons_(reasons), index_(reasons.cubes) {
  find_told();
  for (const std::vector<std::uint32_t>& leaves : reasons.leaves) {
    worths_.emplace_back();
    for (const std::uint32_t cube : leaves) worths_.back().push_back(worth_of(told_[cube]));
  }
  for (std::size_t axis = 0; axis < reasons.lines.size(); ++axis)
    ordinary_.push_back(ordinary_stretch(reasons.lines[axis], forest.root[axis]));
}

void ReasonBook::find_told() {
  std::vector<double> log2_shares;
  for (const geometry::Part& part : reasons_.parts)
    log2_shares.push_back(geometry::portable_log2(share_of(part, forest_.root[part.axis])));
  net_bits_.push_back(0);
  told_.push_back(0);
  for (std::uint32_t cube = 1; cube < reasons_.cubes.size(); ++cube) {
    const std::vector<std::uint32_t> parts = index_.parts_of(cube);
    double log2_volume = 0;
    for (const std::uint32_t part : parts) log2_volume += log2_shares[part];
    net_bits_.push_back(geometry::bits_of(log2_volume, reasons_.counts[cube], reasons_.counts[0]) -
                        price_of_condition * static_cast<double>(parts.size()));
    std::uint32_t best = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint32_t subset = told_[index_.find(without(parts, i))];
      if (net_bits_[subset] > net_bits_[best]) best = subset;
    }
    told_.push_back(net_bits_[cube] > net_bits_[best] ? cube : best);
  }
}

double ReasonBook::worth_of(std::uint32_t cube) const {
  const bool is_single = cube != 0 && reasons_.cubes[cube].parent == 0;
  return net_bits_[cube] + (is_single ? hardly_less : 0);
}

void ReasonBook::offer_products(const std::vector<std::uint32_t>& marks, std::size_t first, std::uint32_t cube,
                                std::uint32_t& best) const {
  for (std::size_t i = first; i < marks.size(); ++i) {
    const std::uint32_t product = index_.child(cube, reasons_.cubes[marks[i]].part);
    if (product == 0) continue;
    if (worth_of(told_[product]) > worth_of(best)) best = told_[product];
    offer_products(marks, i + 1, product, best);
  }
}

std::uint32_t ReasonBook::best_of_marks(const forest::Rows& rows, std::size_t row) const {
  RowMarks marks;
  for (std::size_t axis = 0; axis < rows.columns.size(); ++axis) {
    const double x = rows.columns[axis][row];
    if (ordinary_[axis].holds(x)) continue;
    const std::uint32_t mark = reasons_.lines[axis].mark_of(x);
    if (mark != 0) marks.add({mark, net_bits_[mark]});
  }
  std::uint32_t best = 0;
  if (marks.marks().empty()) return best;
  std::vector<std::uint32_t> numbers = marks.numbers();
  std::ranges::sort(numbers, {}, [&](std::uint32_t mark) { return reasons_.cubes[mark].part; });
  offer_products(numbers, 0, 0, best);
  return best;
}

void ReasonBook::choose(const forest::Rows& rows, std::span<std::uint32_t> chosen, const Run& run) const {
  const std::size_t n_blocks = (rows.n + forest::block_rows - 1) / forest::block_rows;
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this));
  system::parallel_for(n_blocks, run, "choosing reasons", [&](std::size_t i, unsigned worker) {
    blocks[worker].choose(rows, i * forest::block_rows, chosen);
  });
}

}  // namespace pidforest::reasons
