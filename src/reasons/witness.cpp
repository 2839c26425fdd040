// SPDX-License-Identifier: Apache-2.0
#include "reasons/witness.h"

#include <algorithm>
#include <utility>

#include "reasons/count_cubes.h"
#include "forest/route.h"
#include "geometry/logarithm.h"
#include "system/parallel.h"

namespace pidforest::reasons {

namespace {

double worth_of_mark(double bits) { return bits - price_of_column - price_of_bound; }

/// The marks of a row, the rarest first, without marks that are far behind the first or make the cube too small.
class RowMarks {
 public:
  RowMarks(const WitnessBook& book, const forest::Rows& rows, std::size_t row) {
    const AxisMarks& marks = book.marks();
    for (std::size_t axis = 0; axis < rows.columns.size(); ++axis) {
      const std::uint32_t place = marks.mark_of(axis, rows.columns[axis][row]);
      if (place != AxisMarks::none) add({marks.marks()[place].bits, place});
    }
    double log2_volume = 0;
    std::size_t n = 0;
    for (; n < n_ && found_[n].bits >= found_[0].bits - most_behind; ++n) {
      log2_volume += marks.marks()[found_[n].place].log2_share;
      if (n > 0 && log2_volume < book.least_log2_volume()) break;
    }
    n_ = n;
  }

  [[nodiscard]] double worth() const {
    double worth = 0;
    for (std::size_t i = 0; i < n_; ++i) worth += worth_of_mark(found_[i].bits);
    return worth;
  }
  [[nodiscard]] CubeName name() const {
    CubeName name;
    for (std::size_t i = 0; i < n_; ++i) name.marks[i] = found_[i].place;
    std::ranges::sort(name.marks);  // `none` is the largest number
    return name;
  }

 private:
  /// A mark this many bits behind the rarest mark of the row is not the reason.
  static constexpr double most_behind = 3;

  struct Found {
    double bits;
    std::uint32_t place;
  };

  /// Keeps the rarest marks. Ties go to the first axes.
  void add(const Found& one) {
    std::size_t i = std::min(n_, found_.size() - 1);
    if (n_ == found_.size() && found_[i].bits >= one.bits) return;
    for (; i > 0 && found_[i - 1].bits < one.bits; --i) found_[i] = found_[i - 1];
    found_[i] = one;
    n_ = std::min(n_ + 1, found_.size());
  }

  std::array<Found, CubeName::most_marks> found_{};
  std::size_t n_ = 0;
};

/// The working memory of one thread.
class BlockChooser {
 public:
  BlockChooser(const forest::Forest& forest, const forest::CodeBook& codes, const WitnessBook& book)
      : forest_(forest), codes_(codes), book_(book), block_(codes, forest) {}

  void choose(const forest::Rows& rows, std::size_t begin, std::span<CubeName> chosen) {
    block_.load(rows, begin);
    find_best_leaves();
    for (std::size_t i = 0; i < block_.n_rows(); ++i) {
      const RowMarks marks(book_, rows, begin + i);
      if (marks.worth() > best_[i])
        chosen[begin + i] = marks.name();
      else if (best_[i] > 0)
        chosen[begin + i] = {tree_of_[i], forest::route_plain(forest_.trees[tree_of_[i]], rows, begin + i)};
      else
        chosen[begin + i] = {};
    }
  }

 private:
  void find_best_leaves() {
    best_.fill(0.0);
    for (std::uint32_t tree = 0; tree < book_.n_trees(); ++tree) {
      const forest::CodedTree coded(forest_, codes_, tree);
      forest::route(coded, block_, reached_);
      worths_.fill(0.0);
      forest::add_values(coded, reached_, book_.worths(tree), block_.has_missing(), worths_);
      for (std::size_t i = 0; i < forest::block_rows; ++i) {
        tree_of_[i] = worths_[i] > best_[i] ? tree : tree_of_[i];
        best_[i] = std::max(worths_[i], best_[i]);
      }
    }
  }

  const forest::Forest& forest_;
  const forest::CodeBook& codes_;
  const WitnessBook& book_;
  forest::RowBlock block_;
  std::vector<forest::BlockSet> reached_;
  alignas(forest::BlockSet) std::array<double, forest::block_rows> worths_{};
  alignas(forest::BlockSet) std::array<double, forest::block_rows> best_{};
  std::array<std::uint32_t, forest::block_rows> tree_of_{};
};

}  // namespace

WitnessBook::WitnessBook(const forest::Forest& forest, const forest::Rows& sample, std::size_t n_rows, const Run& run)
    : marks_(forest, std::min(forest.trees.size(), most_trees), sample, run),
      least_log2_volume_(3 - geometry::portable_log2(static_cast<double>(n_rows))),
      leaves_(std::min(forest.trees.size(), most_trees)),
      worths_(leaves_.size()) {
  system::parallel_for(leaves_.size(), run, "finding witnesses", [&](std::size_t tree, unsigned /*worker*/) {
    leaves_[tree] = simplify_leaves(forest.trees[tree], forest.root_of(tree), sample);
    for (const LeafWitness& leaf : leaves_[tree]) worths_[tree].push_back(leaf.worth);
  });
}

geometry::Parts WitnessBook::parts(const CubeName& name) const {
  if (name.tree != CubeName::none) return leaves_[name.tree][name.leaf].parts;
  geometry::Parts parts;
  for (const std::uint32_t mark : name.marks)
    if (mark != CubeName::none) parts.push_back(marks_.marks()[mark].part);
  return parts;
}

void choose_cubes(const forest::Forest& forest, const forest::CodeBook& codes, const WitnessBook& book,
                  const forest::Rows& rows, std::span<CubeName> chosen, const Run& run) {
  const std::size_t n_blocks = (rows.n + forest::block_rows - 1) / forest::block_rows;
  std::vector<BlockChooser> choosers(system::threads_for(run, n_blocks), BlockChooser(forest, codes, book));
  system::parallel_for(n_blocks, run, "choosing witnesses", [&](std::size_t i, unsigned worker) {
    choosers[worker].choose(rows, i * forest::block_rows, chosen);
  });
}

ChosenCube choose_cube(std::span<const LeafOfRow> leaves, const std::optional<geometry::Part>& beyond,
                       const forest::Rows& sample) {
  ChosenCube chosen{.parts = {}, .root = leaves.front().root};
  double best = 0;
  for (const LeafOfRow& one : leaves) {
    LeafWitness witness = simplify_leaf(*one.tree, one.root, one.leaf, sample);
    if (witness.worth <= best) continue;
    best = witness.worth;
    chosen = {std::move(witness.parts), one.root};
  }
  if (!beyond) return chosen;
  const geometry::Parts mark{*beyond};
  const double bits = geometry::bits_of(geometry::log2_volume(mark, chosen.root), count_inside(mark, sample), sample.n);
  if (worth_of_mark(bits) > best) chosen.parts = mark;
  return chosen;
}

}  // namespace pidforest::reasons
