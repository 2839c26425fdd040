// SPDX-License-Identifier: Apache-2.0
// The sparsest cube around a row of a Boolean table: a depth-first search over the sets of columns on which other rows
// must equal it. Sets of rows are bit sets.
// Declared in exact/search.h.
#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "exact/search.h"
#include "geometry/logarithm.h"

namespace pidforest::exact {

using geometry::portable_log2;

namespace {

double log2_of(std::uint64_t n) { return portable_log2(static_cast<double>(n)); }

class BooleanSearch final : public RowSearch {
 public:
  /// Views the table, which must be Boolean.
  explicit BooleanSearch(const CellTable& table) : table_(table) {
    const std::size_t n_words = (table.n_rows() + 63) / 64;
    for (const AxisCells& cells : table.axes()) {
      ones_.emplace_back(n_words, 0);
      for (std::size_t row = 0; row < table.n_rows(); ++row)
        if (cells.of_row[row] == 1) ones_.back()[row / 64] |= std::uint64_t{1} << row % 64;
    }
    levels_.resize(table.axes().size() + 1);
    for (Level& level : levels_) level.rows.resize(n_words);
  }

  FoundCube best_cube(std::uint32_t combination, const Limit& limit) override {
    target_ = table_.cells_of(combination);
    log2_duplicates_ = portable_log2(table_.count_of(combination));
    limit_ = &limit;
    n_steps_ = 0;
    is_stopped_ = false;
    chosen_.clear();
    best_length_ = open_length_ = std::numeric_limits<double>::infinity();
    Level& all = levels_[0];
    std::ranges::fill(all.rows, ~std::uint64_t{0});
    if (table_.n_rows() % 64 != 0) all.rows.back() = (std::uint64_t{1} << table_.n_rows() % 64) - 1;
    all.n_rows = table_.n_rows();
    std::vector<Column> columns;
    for (std::uint32_t axis = 0; axis < ones_.size(); ++axis)
      if (table_.axes()[axis].n_values == 2) columns.push_back({.axis = axis});
    descend(columns);
    return conclude();
  }

 private:
  using Words = std::vector<std::uint64_t>;

  /// An axis on which some of the current rows differ from the target, and their number.
  struct Column {
    std::uint32_t axis = 0;
    std::uint64_t n_left_out = 0;
  };
  /// The rows that equal the target on the chosen axes.
  struct Level {
    Words rows;
    std::uint64_t n_rows = 0;
    std::vector<Column> columns;
  };

  /// Evaluates the chosen axes, then those plus each of `columns`.
  void descend(std::span<const Column> columns) {
    Level& level = levels_[chosen_.size()];
    note_length(level);
    find_columns(columns, level);
    const std::span<const Column> rest = level.columns;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      // Without the columns before this one: later ones leave out fewer rows.
      const double least = least_length(rest.subspan(i), level);
      if (least >= best_length_ - tolerance) return;
      is_stopped_ = is_stopped_ || n_steps_ >= limit_->steps || limit_->is_over();
      if (is_stopped_) open_length_ = std::min(open_length_, least);
      if (is_stopped_) return;
      choose(rest[i].axis);
      descend(rest.subspan(i + 1));
      chosen_.pop_back();
    }
  }
  /// The columns that leave out rows of this level, the most rows first.
  void find_columns(std::span<const Column> columns, Level& level) {
    level.columns.clear();
    for (const Column& column : columns) {
      std::uint64_t n_equal = 0;
      for (std::size_t word = 0; word < level.rows.size(); ++word)
        n_equal += static_cast<std::uint64_t>(std::popcount(level.rows[word] & equal_word(column.axis, word)));
      if (n_equal < level.n_rows) level.columns.push_back({column.axis, level.n_rows - n_equal});
    }
    std::ranges::stable_sort(level.columns, std::greater(), &Column::n_left_out);
    n_steps_ += (columns.size() + 1) * level.rows.size();
  }
  /// A lower bound of |S| + log2(rows left) if at least one of these columns is added to the chosen ones.
  [[nodiscard]] double least_length(std::span<const Column> columns, const Level& level) const {
    double least = std::numeric_limits<double>::infinity();
    double length = static_cast<double>(chosen_.size());
    std::uint64_t left_out = 0;
    for (const Column& column : columns) {
      ++length;
      if (length + log2_duplicates_ >= std::min(least, best_length_)) break;
      left_out += column.n_left_out;
      const double log2_left = left_out < level.n_rows ? log2_of(level.n_rows - left_out) : 0;
      least = std::min(least, length + std::max(log2_left, log2_duplicates_));
    }
    return least;
  }
  void choose(std::uint32_t axis) {
    const Level& from = levels_[chosen_.size()];
    chosen_.push_back(axis);
    Level& to = levels_[chosen_.size()];
    to.n_rows = 0;
    for (std::size_t word = 0; word < to.rows.size(); ++word) {
      to.rows[word] = from.rows[word] & equal_word(axis, word);
      to.n_rows += static_cast<std::uint64_t>(std::popcount(to.rows[word]));
    }
  }
  void note_length(const Level& level) {
    const double length = static_cast<double>(chosen_.size()) + log2_of(level.n_rows);
    if (length >= best_length_) return;
    best_length_ = length;
    best_ = chosen_;
    best_n_inside_ = level.n_rows;
  }
  [[nodiscard]] std::uint64_t equal_word(std::uint32_t axis, std::size_t word) const {
    return target_[axis] == 1 ? ones_[axis][word] : ~ones_[axis][word];
  }
  [[nodiscard]] FoundCube conclude() const {
    const double log2_n = portable_log2(static_cast<double>(table_.n_rows()));
    FoundCube found{.bits = log2_n - best_length_, .n_inside = best_n_inside_};
    found.upper_bound = std::max(found.bits, log2_n - open_length_);
    std::vector<std::uint32_t> axes = best_;
    std::ranges::sort(axes);
    for (const std::uint32_t axis : axes)
      found.cube.push_back(
          {.axis = axis, .kind = geometry::AxisKind::category, .levels = {{target_[axis], target_[axis] + 1}}});
    return found;
  }

  const CellTable& table_;
  /// By axis: the rows that have the second level.
  std::vector<Words> ones_;
  std::span<const std::uint32_t> target_;
  /// log2 of the rows that equal the target on all axes.
  double log2_duplicates_ = 0;
  const Limit* limit_ = nullptr;
  std::uint64_t n_steps_ = 0;
  bool is_stopped_ = false;

  std::vector<Level> levels_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint32_t> best_;
  double best_length_ = 0;
  std::uint64_t best_n_inside_ = 0;
  /// The bound at which the search stopped: no cube that was not evaluated is shorter.
  double open_length_ = 0;
};

}  // namespace

bool is_boolean(const CellTable& table) {
  return std::ranges::all_of(table.axes(), [](const AxisCells& cells) {
    const bool has_two_levels = cells.kind == geometry::AxisKind::category && cells.n_values == 2;
    return cells.root.missing_share == 0 && std::ranges::find(cells.of_row, cells.missing()) == cells.of_row.end() &&
           (has_two_levels || cells.n_values == 1);
  });
}

std::unique_ptr<RowSearch> make_boolean_search(const CellTable& table) {
  return std::make_unique<BooleanSearch>(table);
}

}  // namespace pidforest::exact
