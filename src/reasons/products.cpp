// SPDX-License-Identifier: Apache-2.0
#include "reasons/products.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "geometry/part.h"
#include "reasons/simplify.h"

namespace pidforest::reasons {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// More products are hardly ever needed: this bounds the time of a fit.
constexpr std::size_t most_products = 2048;

/// Counts all subsets of the marks of a row in a sample.
class Subsets {
 public:
  Subsets(std::size_t n_rows, double least_log2_volume)
      : n_rows_(n_rows),
        least_log2_volume_(least_log2_volume),
        sets_(std::size_t{1} << RowMarks::most,
              std::vector<BlockSet>((n_rows + forest::block_rows - 1) / forest::block_rows)) {}

  /// Calls visit(subset, net bits) for each promising subset of at least two marks, as a set of bits.
  template <class Visit>
  void for_each_promising(const std::vector<MarkedRows>& marks, const Visit& visit) {
    const std::size_t n = std::size_t{1} << marks.size();
    std::array<double, std::size_t{1} << RowMarks::most> volumes{};
    std::array<double, std::size_t{1} << RowMarks::most> best{};  // the net bits of the best part of a subset
    for (std::size_t subset = 1; subset < n; ++subset) {
      const auto last = static_cast<std::size_t>(std::bit_width(subset)) - 1;
      const std::size_t rest = subset ^ (std::size_t{1} << last);
      volumes[subset] = volumes[rest] + marks[last].log2_share;
      const std::uint64_t count = count_of(subset, rest, marks[last]);
      const double net = geometry::bits_of(volumes[subset], count, n_rows_) -
                         price_of_condition * static_cast<double>(std::popcount(subset));
      for (std::size_t i = 0; i < marks.size(); ++i)
        if ((subset >> i & 1U) != 0) best[subset] = std::max(best[subset], best[subset ^ (std::size_t{1} << i)]);
      if (rest != 0 && net > best[subset] - slack && volumes[subset] >= least_log2_volume_) visit(subset, net);
      best[subset] = std::max(best[subset], net);
    }
  }

 private:
  /// A product that the sample finds this many bits worse than a part of it may be better in all rows.
  static constexpr double slack = 1;

  std::uint64_t count_of(std::size_t subset, std::size_t rest, const MarkedRows& last) {
    if (rest == 0) {
      std::ranges::copy(last.inside, sets_[subset].begin());
      return last.count;
    }
    return intersect(sets_[rest], last.inside, sets_[subset]);
  }

  std::size_t n_rows_;
  double least_log2_volume_;
  std::vector<std::vector<BlockSet>> sets_;
};

/// The products with the most net bits. Memory: twice as many as are wanted at the end.
class BestProducts {
 public:
  void add(Numbers numbers, double net_bits) {
    if (Ranked product{-net_bits, std::move(numbers)}; !bar_ || product < *bar_) products_.insert(std::move(product));
    if (products_.size() >= 2 * most_products) keep_best();
  }

  /// The best ones first; of equals, the one with the lower numbers.
  [[nodiscard]] std::vector<Numbers> take() {
    keep_best();
    std::vector<Numbers> best;
    for (const auto& [bits, numbers] : products_) best.push_back(numbers);
    return best;
  }

 private:
  using Ranked = std::pair<double, Numbers>;

  void keep_best() {
    while (products_.size() > most_products) products_.erase(std::prev(products_.end()));
    if (products_.size() == most_products) bar_ = *products_.rbegin();
  }

  std::set<Ranked> products_;
  /// The last of the products that were kept: those after it are not wanted.
  std::optional<Ranked> bar_;
};

}  // namespace

std::vector<Numbers> find_products(const MarkSets& sets, const std::function<MarkedRows(std::uint32_t)>& rows_of,
                                   std::size_t n_sample, double least_log2_volume) {
  BestProducts products;
  Subsets subsets(n_sample, least_log2_volume);
  for (const auto& [numbers, first_row] : sets.sets()) {
    std::vector<MarkedRows> marks;
    for (const std::uint32_t number : numbers) marks.push_back(rows_of(number));
    subsets.for_each_promising(marks, [&](std::size_t subset, double net) {
      Numbers some;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if ((subset >> i & 1U) != 0) some.push_back(numbers[i]);
      products.add(std::move(some), net);
    });
  }
  return products.take();
}

}  // namespace pidforest::reasons
