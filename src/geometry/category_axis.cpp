// SPDX-License-Identifier: Apache-2.0
#include "geometry/category_axis.h"

#include <algorithm>
#include <numeric>

#include "geometry/logarithm.h"
#include "geometry/ordered_axis.h"
#include "system/per_thread.h"

namespace pidforest::geometry {

namespace {

double n_levels(const Interval& interval) {
  double n = 0;
  for (const CodeRange& codes : interval.branches) n += codes.size();
  return n;
}

/// The branch of the interval that has the level.
const CodeRange& branch_with(const Interval& interval, std::uint32_t code) {
  return *std::partition_point(interval.branches.begin(), interval.branches.end(),
                               [&](const CodeRange& codes) { return codes.end <= code; });
}

/// Counts values by branch. The memory is kept between uses: it has a place per level of the largest axis.
class BranchCounter {
 public:
  void begin(std::span<const std::uint32_t> rows, std::vector<SeenBranch>& found) {
    if (found_ != nullptr) std::ranges::fill(place_of_, none);  // an exception kept the last count from its end
    rows_ = rows;
    found_ = &found;
    found.clear();
  }

  void add(const CodeRange& codes, std::size_t count, std::size_t first_value) {
    if (place_of_.size() <= codes.begin) place_of_.resize(codes.begin + 1, none);
    std::uint32_t& place = place_of_[codes.begin];
    if (place == none) {
      found_->push_back({codes, 0, first_value});
      place = static_cast<std::uint32_t>(found_->size());
    }
    SeenBranch& branch = (*found_)[place - 1];
    branch.count += count;
    if (rows_[first_value] < rows_[branch.first_value]) branch.first_value = first_value;
  }

  void end() {
    for (const SeenBranch& branch : *found_) place_of_[branch.codes.begin] = none;
    found_ = nullptr;
  }

 private:
  static constexpr std::uint32_t none = 0;
  std::span<const std::uint32_t> rows_;
  std::vector<SeenBranch>* found_ = nullptr;
  /// The place from 1 of each branch among those found, by its first code.
  std::vector<std::uint32_t> place_of_;
};

/// Puts together the children of a split from the branches of each.
class SplitMaker {
 public:
  explicit SplitMaker(const Interval& interval) : interval_(interval) {}

  void add(const CodeRange& codes, std::uint32_t child) {
    split_.pieces.push_back({codes, child});
    if (child >= split_.parts.size()) split_.parts.resize(child + 1);
    split_.parts[child].branches.push_back(codes);
  }

  /// The levels of the interval that were not added are the margin, a separate child. If there are none, unseen levels
  /// go to `otherwise`.
  Split with_margin(std::uint32_t otherwise) {
    sort_pieces();
    const std::vector<CodeRange> left = left_over();
    split_.first = left.empty() ? otherwise : static_cast<std::uint32_t>(split_.parts.size());
    if (!left.empty()) split_.parts.push_back({.branches = left});
    return finished();
  }

  /// The levels of the interval that were not added, and unseen levels, belong to `child`.
  Split with_rest_in(std::uint32_t child) {
    sort_pieces();
    const std::vector<CodeRange> left = left_over();
    split_.first = child;
    split_.parts[child].branches.insert(split_.parts[child].branches.end(), left.begin(), left.end());
    return finished();
  }

 private:
  void sort_pieces() {
    std::sort(split_.pieces.begin(), split_.pieces.end(),
              [&](const Piece& a, const Piece& b) { return a.codes.begin < b.codes.begin; });
  }

  [[nodiscard]] std::vector<CodeRange> left_over() const {
    std::vector<CodeRange> left;
    const auto add = [&](std::uint32_t begin, std::uint32_t end) {
      if (begin < end) left.push_back({begin, end});
    };
    auto piece = split_.pieces.begin();
    for (const CodeRange& branch : interval_.branches) {
      std::uint32_t begin = branch.begin;
      for (; piece != split_.pieces.end() && piece->codes.begin < branch.end; ++piece) {
        add(begin, piece->codes.begin);
        begin = piece->codes.end;
      }
      add(begin, branch.end);
    }
    return left;
  }

  Split finished() {
    split_.kind = AxisKind::category;
    const double whole = n_levels(interval_);
    for (Interval& part : split_.parts) {
      std::sort(part.branches.begin(), part.branches.end(),
                [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
      split_.shares.push_back(n_levels(part) / whole);
    }
    set_aside_missing(split_, interval_);
    return std::move(split_);
  }

  const Interval& interval_;
  Split split_;
};

}  // namespace

CategoryAxis::CategoryAxis(std::uint32_t n_levels, std::vector<std::uint32_t> parents) : parents_(std::move(parents)) {
  levels_of_.assign(parents_.size(), {n_levels, 0});
  for (std::uint32_t level = 0; level < n_levels && !parents_.empty(); ++level) {
    levels_of_[level] = {level, level + 1};
    for (std::uint32_t branch = level; parents_[branch] != branch;) {
      branch = parents_[branch];
      CodeRange& codes = levels_of_[branch];
      codes = {std::min(codes.begin, level), std::max(codes.end, level + 1)};
    }
  }
  const auto is_below_the_whole = [&](std::uint32_t level) { return levels_of_[parents_[level]].size() == n_levels; };
  std::uint32_t level = 0;
  while (level < n_levels && !parents_.empty() && is_below_the_whole(level)) ++level;
  if (level == n_levels) parents_.clear();  // flat after all
}

CodeRange CategoryAxis::branch_below(const CodeRange& branch, std::uint32_t code) const {
  if (parents_.empty()) return {code, code + 1};
  std::uint32_t found = code;
  while (parents_[found] != found && levels_of_[parents_[found]].size() < branch.size()) found = parents_[found];
  return levels_of_[found];
}

void CategoryAxis::find_branches(const NodeValues& values, const Interval& interval,
                                 std::vector<SeenBranch>& seen) const {
  struct Workspace {
    BranchCounter counter;
    std::vector<SeenBranch> levels;
  };
  static const system::PerThread<Workspace> workspaces;
  auto& [counter, levels] = workspaces();
  counter.begin(values.rows, levels);
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    const auto code = static_cast<std::uint32_t>(values.values[i]);
    counter.add({code, code + 1}, 1, i);
  }
  const auto gather = [&](const auto& branch_of) {
    counter.begin(values.rows, seen);
    for (const SeenBranch& level : levels) counter.add(branch_of(level.codes.begin), level.count, level.first_value);
    counter.end();
  };
  counter.end();
  gather([&](std::uint32_t code) { return branch_with(interval, code); });
  while (seen.size() == 1 && seen.front().codes.size() > 1) {
    const CodeRange alone = seen.front().codes;
    gather([&](std::uint32_t code) { return branch_below(alone, code); });
  }
  std::sort(seen.begin(), seen.end(), [&](const SeenBranch& a, const SeenBranch& b) {
    return values.rows[a.first_value] < values.rows[b.first_value];
  });
}

void CategoryAxis::lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  if (sorted.values.empty()) return layout.cells.clear();
  static const system::PerThread<std::vector<SeenBranch>> branches;
  std::vector<SeenBranch>& seen = branches();
  find_branches(sorted, interval, seen);
  const auto is_sparser = [](const SeenBranch& a, const SeenBranch& b) {
    return static_cast<double>(a.codes.size()) * static_cast<double>(b.count) >
           static_cast<double>(b.codes.size()) * static_cast<double>(a.count);
  };
  std::stable_sort(seen.begin(), seen.end(), is_sparser);
  const double whole = n_levels(interval);
  double end = whole;  // the levels without rows join the sparsest branch
  for (const SeenBranch& branch : seen) end -= branch.codes.size();
  layout.branches.clear();
  layout.first_unit.clear();
  std::vector<double> ends(sorted.values.size(), 0.0);
  std::vector<char> ends_cell(sorted.values.size(), 0);
  std::size_t unit = 0;
  for (const SeenBranch& branch : seen) {
    layout.branches.push_back(branch.codes);
    layout.first_unit.push_back(unit);
    unit += branch.count;
    end += branch.codes.size();
    ends[unit - 1] = end / whole;
    ends_cell[unit - 1] = 1;
  }
  layout.cells.lay_out(unit, [&](std::size_t i) { return ends[i]; }, [&](std::size_t i) { return ends_cell[i] != 0; });
}

Split CategoryAxis::split_by(const NodeValues& /*sorted*/, const Interval& interval, const Layout& layout,
                             const Grouping& grouping) const {
  if (grouping.n_groups == 1) return split_off_missing(interval);
  SplitMaker maker(interval);
  std::uint32_t child = 0;
  for (std::size_t i = 0; i < layout.branches.size(); ++i) {
    if (layout.first_unit[i] >= grouping.first[child + 1]) ++child;
    maker.add(layout.branches[i], child);
  }
  return maker.with_rest_in(0);
}

/// The branches of one side of a cut; adjacent branches of the same length are counted together.
struct CategoryAxis::Side {
  explicit Side(std::span<const SeenBranch> branches) {
    for (const SeenBranch& branch : branches) {
      const double size = branch.codes.size();
      if (cells.empty() || cells.back().length != size) cells.push_back({size, 0});
      cells.back().times += 1;
      length += size;
      n_rows += branch.count;
    }
  }

  [[nodiscard]] bool is_sparser_than(const Side& other) const {
    return length * static_cast<double>(other.n_rows) > other.length * static_cast<double>(n_rows);
  }

  std::vector<SeenCells> cells;
  double length = 0;
  std::size_t n_rows = 0;
};

SampledSides CategoryAxis::sides_with_margin(const Side& seen, const Interval& interval) const {
  const double whole = n_levels(interval);
  const double margin = whole - seen.length;
  if (margin <= 0) return {};
  // The margin counts as one branch in a hierarchy, and as its number of levels otherwise.
  const double unseen = parents_.empty() ? margin : 1;
  double expected = unseen * chance_of_all(seen.n_rows, 1 - margin / unseen / whole);
  for (const SeenCells& cells : seen.cells)
    expected += cells.times * chance_of_all(seen.n_rows, 1 - cells.length / whole);
  SampledSides sides = sides_of_margin(seen.n_rows, seen.length / whole, expected / unseen);
  sides.evidence *= unseen;
  return sides;
}

void CategoryAxis::show(const NodeValues& values, const Interval& interval, Shown& shown) const {
  shown.node = values;
  shown.branches.clear();
  if (!values.values.empty()) find_branches(values, interval, shown.branches);
}

CategoryAxis::SampledCut CategoryAxis::draw_cut(const Shown& shown, const Interval& interval,
                                                const Draws& draws) const {
  std::vector<std::uint32_t> order(shown.branches.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return draws.order[a] < draws.order[b]; });
  SampledCut drawn;
  auto& branches = drawn.branches;
  branches.reserve(order.size());
  for (const std::uint32_t place : order) branches.push_back(shown.branches[place]);
  const std::size_t n = shown.node.values.size();
  if (branches.size() > 1) {
    drawn.cut = 1 + static_cast<std::size_t>(draws.cut * static_cast<double>(branches.size() - 1));
    const Side first{std::span(branches).first(drawn.cut)};
    const Side second{std::span(branches).subspan(drawn.cut)};
    const double p = first.length / (first.length + second.length);
    const double q = static_cast<double>(first.n_rows) / static_cast<double>(n);
    drawn.sides = {.value = gain_term(p, q) + gain_term(1 - p, 1 - q),
                   .evidence = cell_likelihood_ratio(n, first.n_rows, {first.cells}, {second.cells}),
                   .can_be_cut = true};
    drawn.rest = second.is_sparser_than(first) ? 1 : 0;
  }
  const SampledSides margin = sides_with_margin(Side{std::span<const SeenBranch>(branches)}, interval);
  if (margin.evidence > drawn.sides.evidence) {
    drawn.cut = branches.size();
    drawn.sides = margin;
  }
  return drawn;
}

SampledSides CategoryAxis::sides_of(const Shown& shown, const Interval& interval, const Draws& draws) const {
  if (shown.branches.empty()) return {};
  return draw_cut(shown, interval, draws).sides;
}

Split CategoryAxis::split_at(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const SampledCut drawn = draw_cut(shown, interval, draws);
  SplitMaker maker(interval);
  for (std::size_t i = 0; i < drawn.branches.size(); ++i) maker.add(drawn.branches[i].codes, i < drawn.cut ? 0 : 1);
  return maker.with_margin(drawn.rest);
}

}  // namespace pidforest::geometry
