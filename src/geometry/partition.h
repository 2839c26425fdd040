// SPDX-License-Identifier: Apache-2.0
// The best grouping of cells: which adjacent cells to join so that the sparsities of the groups vary most.
//
// A cell is a stretch of an axis with a length and a count of rows. A group of cells with length share p and row share
// q is worth p^2 / q; the best grouping into at most k groups has the largest sum. It is the k-histogram problem of the
// paper's appendix. A cell of c rows is laid out as c units of one row each, with no cut allowed inside: then the count
// between two borders is the difference of their indices and ties need no special case.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace pidforest::geometry {

inline constexpr int max_groups = 16;

/// Adjacent cells that fill the length from 0 to 1, as units of one row each.
class Cells {
 public:
  /// Lays out `n` > 0 units: end_of(i) is where unit i ends, a share of the whole length, and ends_cell(i) whether a
  /// cell ends there. The last unit ends at 1 with its cell whatever they say.
  template <class EndOf, class EndsCell>
  void lay_out(std::size_t n, const EndOf& end_of, const EndsCell& ends_cell) {
    borders_.resize(n + 1);
    is_cut_.resize(n);
    std::size_t n_cells = 1;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      borders_[i + 1] = end_of(i);
      const bool is_cut = ends_cell(i);
      is_cut_[i] = is_cut ? 1 : 0;
      n_cells += is_cut ? 1 : 0;
    }
    borders_[n] = 1;
    is_cut_[n - 1] = 1;
    n_cells_ = n_cells;
  }

  void clear() {
    borders_.assign(1, 0.0);
    is_cut_.clear();
    n_cells_ = 0;
  }

  /// The number of rows in all cells.
  [[nodiscard]] std::size_t size() const { return is_cut_.size(); }
  /// Where the units before border i end; border 0 is the beginning and border size() the end.
  [[nodiscard]] double border(std::size_t i) const { return borders_[i]; }
  /// Whether some cell has more than one row.
  [[nodiscard]] bool has_ties() const { return n_cells_ < size(); }
  [[nodiscard]] std::size_t n_cells() const { return n_cells_; }
  /// Whether a group may end at border i > 0.
  [[nodiscard]] bool may_cut(std::size_t i) const { return is_cut_[i - 1] != 0; }

 private:
  std::vector<double> borders_{0.0};
  std::vector<char> is_cut_;
  std::size_t n_cells_ = 0;
};

/// Group g holds the units from first[g] up to first[g + 1]; first[0] = 0 and first[n_groups] = size().
struct Grouping {
  int n_groups = 1;
  std::array<std::size_t, max_groups + 1> first{};

  bool operator==(const Grouping&) const = default;
};

/// The best grouping into at most k groups. Ties go to fewer groups, then to the earliest borders. Takes time quadratic
/// in the number of units, or of cells if those are few. Vectorised, in floats; the result is that of
/// `partition_plain`. A long run calls `check_cancelled`, if given, regularly; an exception from it ends the run.
Grouping partition(const Cells& cells, int k, const std::function<void()>& check_cancelled = nullptr);

/// `partition` in plain C++; this is its specification.
Grouping partition_plain(const Cells& cells, int k);

/// The intermediate result of `partition`: the largest worth of the units before each border in exactly n groups.
class PrefixWorths {
 public:
  PrefixWorths(std::size_t n_units, std::vector<float> worths) : width_(n_units + 1), worths_(std::move(worths)) {}

  /// The sum of length^2 / count over n_groups >= 1 groups; minus infinity if there are no such groups.
  [[nodiscard]] float at(int n_groups, std::size_t border) const {
    return worths_[static_cast<std::size_t>(n_groups - 1) * width_ + border];
  }

 private:
  std::size_t width_;
  std::vector<float> worths_;
};
PrefixWorths prefix_worths(const Cells& cells, int k, const std::function<void()>& check_cancelled = nullptr);
/// The result of `partition`, from its intermediate result.
Grouping grouping_of(const Cells& cells, const PrefixWorths& worths, int k);

/// One pass over the cells (Guha, Koudas and Shim). The squared error is at most 1 + epsilon times the least possible.
Grouping partition_one_pass(const Cells& cells, int k, double epsilon);

/// Above this many units the one-pass version is faster than the exact one (benchmarks/speed/partition.cpp).
inline constexpr std::size_t one_pass_crossover = 28000;

/// The sum of p^2 / q over the groups.
double value_of(const Cells& cells, const Grouping& grouping);
/// The value if every cell is a separate group; no grouping is worth more.
double largest_value(const Cells& cells);
/// A number that no grouping into at most k groups exceeds, much cheaper than the best grouping itself.
double value_bound(const Cells& cells, int k);

}  // namespace pidforest::geometry
