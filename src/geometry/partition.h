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
#include <vector>

namespace pidforest::geometry {

inline constexpr int max_groups = 16;

/// Cells side by side, filling the length from 0 to 1, as units of one row each.
class Cells {
 public:
  /// Lays out `n` > 0 units: end_of(i) is where unit i ends, a share of the whole length, and ends_cell(i) whether a
  /// cell ends there. The last unit ends at 1 with its cell whatever they say.
  template <class EndOf, class EndsCell>
  void lay_out(std::size_t n, const EndOf& end_of, const EndsCell& ends_cell) {
    borders_.resize(n + 1);
    is_cut_.resize(n);
    bool has_ties = false;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      borders_[i + 1] = end_of(i);
      const bool is_cut = ends_cell(i);
      is_cut_[i] = is_cut ? 1 : 0;
      has_ties |= !is_cut;
    }
    borders_[n] = 1;
    is_cut_[n - 1] = 1;
    has_ties_ = has_ties;
  }

  void clear() {
    borders_.assign(1, 0.0);
    is_cut_.clear();
  }

  /// The number of rows in all cells.
  [[nodiscard]] std::size_t size() const { return is_cut_.size(); }
  /// Where the units before border i end; border 0 is the beginning and border size() the end.
  [[nodiscard]] double border(std::size_t i) const { return borders_[i]; }
  /// Whether some cell has more than one row.
  [[nodiscard]] bool has_ties() const { return has_ties_; }
  /// Whether a group may end at border i > 0.
  [[nodiscard]] bool may_cut(std::size_t i) const { return is_cut_[i - 1] != 0; }

 private:
  std::vector<double> borders_{0.0};
  std::vector<char> is_cut_;
  bool has_ties_ = false;
};

/// Group g holds the units from first[g] up to first[g + 1]; first[0] = 0 and first[n_groups] = size().
struct Grouping {
  int n_groups = 1;
  std::array<std::size_t, max_groups + 1> first{};

  bool operator==(const Grouping&) const = default;
};

/// The best grouping into at most k groups; of equals the one with fewer groups, then with the earliest borders.
/// Quadratic in the number of units, in floats, vectorised; chooses exactly as `partition_plain` does. `breathe`, if
/// given, is called now and then in a long run; what it throws ends the run.
Grouping partition(const Cells& cells, int k, const std::function<void()>& breathe = nullptr);

/// The same in plain C++: the specification.
Grouping partition_plain(const Cells& cells, int k);

/// One pass over the cells (Guha, Koudas and Shim): the squared error is at most 1 + epsilon times the best one's.
Grouping partition_one_pass(const Cells& cells, int k, double epsilon);

/// Above this many units the one-pass version is faster than the exact one (benchmarks/speed/partition.cpp).
inline constexpr std::size_t one_pass_crossover = 28000;

/// The sum of p^2 / q over the groups.
double value_of(const Cells& cells, const Grouping& grouping);
/// The same with every cell a group of its own: no grouping is worth more.
double largest_value(const Cells& cells);
/// A number that no grouping into at most k groups exceeds, much cheaper than the best grouping itself.
double upper_bound(const Cells& cells, int k);

}  // namespace pidforest::geometry
