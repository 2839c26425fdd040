// SPDX-License-Identifier: Apache-2.0
#include "pairs/rare_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

#include "forest/common_rows.h"
#include "pairs/group_sets.h"
#include "system/parallel.h"

namespace pidforest::pairs {

using forest::block_rows;
using forest::BlockSet;
using forest::word_rows;

namespace {

bool comes_before(const Group& a, const Group& b) {
  return std::tie(a.axis, a.low, a.high) < std::tie(b.axis, b.low, b.high);
}

template <class Visit>
void for_each_common(const BlockSet& a, const BlockSet& b, const Visit& visit) {
  for (std::size_t word = 0; word < forest::block_words; ++word)
    for (forest::RowSet left = a[word] & b[word]; left != 0; left &= left - 1)
      visit(word * word_rows + static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace

RarePairs::RarePairs(std::vector<RarePair> pairs, std::uint64_t n_rows) : pairs_(std::move(pairs)), n_rows_(n_rows) {
  for (const RarePair& pair : pairs_) groups_.insert(groups_.end(), {pair.first, pair.second});
  std::ranges::sort(groups_, comes_before);
  groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
  const auto place_of = [&](const Group& group) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(groups_, group, comes_before) - groups_.begin());
  };
  for (const RarePair& pair : pairs_) places_.push_back({place_of(pair.first), place_of(pair.second)});
}

/// Working memory of one thread.
class RarePairs::Block {
 public:
  explicit Block(const RarePairs& pairs) : pairs_(pairs), sets_(pairs.groups_.size()) {}

  void visit_rows(const forest::Rows& rows, std::size_t begin,
                  const std::function<void(std::size_t row, std::size_t place)>& visit) {
    find_sets(rows, begin);
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    best_.fill(none);
    for (std::uint32_t place = 0; place < pairs_.pairs_.size(); ++place)
      for_each_common(sets_[pairs_.places_[place].first], sets_[pairs_.places_[place].second], [&](std::size_t row) {
        if (best_[row] == none || pairs_.pairs_[place].bits > pairs_.pairs_[best_[row]].bits) best_[row] = place;
      });
    for (std::size_t row = 0; row < block_rows; ++row)
      if (best_[row] != none) visit(begin + row, best_[row]);
  }

  void count(const forest::Rows& rows, std::size_t begin) {
    sizes_.resize(sets_.size());
    n_both_.resize(pairs_.pairs_.size());
    find_sets(rows, begin);
    for (std::size_t i = 0; i < sets_.size(); ++i) sizes_[i] += forest::n_common(sets_[i], sets_[i]);
    for (std::size_t place = 0; place < n_both_.size(); ++place)
      n_both_[place] += forest::n_common(sets_[pairs_.places_[place].first], sets_[pairs_.places_[place].second]);
  }

  void add_counts(std::span<Count> counts) const {
    for (std::size_t place = 0; place < n_both_.size(); ++place) {
      counts[place].first += sizes_[pairs_.places_[place].first];
      counts[place].second += sizes_[pairs_.places_[place].second];
      counts[place].both += n_both_[place];
    }
  }

 private:
  /// Finds the rows of the block that starts at `begin` in each group.
  void find_sets(const forest::Rows& rows, std::size_t begin) {
    const std::size_t n = std::min(block_rows, rows.n - begin);
    const std::size_t n_words = (n + word_rows - 1) / word_rows;
    std::fill(values_.begin() + static_cast<std::ptrdiff_t>(n), values_.end(),
              std::numeric_limits<double>::quiet_NaN());
    for (std::size_t first = 0, last = 0; first < pairs_.groups_.size(); first = last) {
      const std::uint32_t axis = pairs_.groups_[first].axis;
      while (last < pairs_.groups_.size() && pairs_.groups_[last].axis == axis) ++last;
      for (std::size_t row = 0; row < n; ++row) values_[row] = rows.columns[axis][begin + row];
      find_groups(values_.data(), n_words, std::span(pairs_.groups_).subspan(first, last - first), &sets_[first]);
    }
  }

  const RarePairs& pairs_;
  std::vector<BlockSet> sets_;
  /// The number of rows in each group and in each pair.
  std::vector<std::uint64_t> sizes_ = {};
  std::vector<std::uint64_t> n_both_ = {};
  alignas(BlockSet) std::array<double, block_rows> values_{};
  std::array<std::uint32_t, block_rows> best_{};
};

void RarePairs::for_each_row(const forest::Rows& rows, const Run& run,
                             const std::function<void(std::size_t row, std::size_t place)>& visit) const {
  if (empty()) return;
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this));
  system::parallel_for(n_blocks, run, "finding rare pairs",
                       [&](std::size_t i, unsigned worker) { blocks[worker].visit_rows(rows, i * block_rows, visit); });
}

void RarePairs::count(const forest::Rows& rows, std::span<Count> counts, const Run& run) const {
  if (empty()) return;
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this));
  system::parallel_for(n_blocks, run, "counting pairs",
                       [&](std::size_t i, unsigned worker) { blocks[worker].count(rows, i * block_rows); });
  for (const Block& block : blocks) block.add_counts(counts);
}

void raise_scores(const RarePairs& pairs, const forest::Rows& rows, double head_start, std::span<double> scores,
                  const Run& run) {
  pairs.for_each_row(rows, run, [&](std::size_t row, std::size_t place) {
    scores[row] = std::max(scores[row], pairs.all()[place].bits + head_start);
  });
}

void raise_axis_bits(const RarePairs& pairs, const forest::Rows& rows, std::span<double> axis_bits, const Run& run) {
  const std::size_t n_axes = rows.columns.size();
  pairs.for_each_row(rows, run, [&](std::size_t row, std::size_t place) {
    const RarePair& pair = pairs.all()[place];
    const auto own = axis_bits.subspan(row * n_axes, n_axes);
    const double more = pair.bits - std::accumulate(own.begin(), own.end(), 0.0);
    if (more <= 0) return;
    own[pair.first.axis] += more / 2;
    own[pair.second.axis] += more / 2;
  });
}

}  // namespace pidforest::pairs
