// SPDX-License-Identifier: Apache-2.0
#include "reasons/mark_sets.h"

#include <algorithm>
#include <array>

#include "forest/row_block.h"

namespace pidforest::reasons {

bool StrongMarks::can_meet() const {
  const auto has_marks = [](const Lines& one) {
    return one.of_missing != 0 || std::ranges::any_of(one.marks, [](std::uint32_t mark) { return mark != 0; });
  };
  return std::ranges::count_if(lines, has_marks) > 1;
}

void MarkSets::add(const Numbers& marks, std::uint64_t row) {
  if (row >= end_) return;
  const auto [found, is_new] = first_rows_.try_emplace(marks, row);
  if (!is_new) found->second = std::min(found->second, row);
}

void MarkSets::merge(const MarkSets& other) {
  end_ = std::min(end_, other.end_);
  for (const auto& [marks, row] : other.first_rows_) add(marks, row);
  std::erase_if(first_rows_, [&](const auto& set) { return set.second >= end_; });
  keep_bound();
}

void MarkSets::keep_bound() {
  if (first_rows_.size() < most_sets) return;
  std::vector<std::uint64_t> rows;
  rows.reserve(first_rows_.size());
  for (const auto& [marks, row] : first_rows_) rows.push_back(row);
  const auto last = rows.begin() + static_cast<std::ptrdiff_t>(most_sets - 1);
  std::ranges::nth_element(rows, last);
  end_ = std::min(end_, (*last / forest::block_rows + 1) * forest::block_rows);
  std::erase_if(first_rows_, [&](const auto& set) { return set.second >= end_; });
}

MarkFinder::MarkFinder(const StrongMarks& marks, const forest::Root& root) : lines_(marks.lines) {
  for (const auto& [mark, bits] : marks.bits) {
    numbers_.push_back(mark);
    bits_.push_back(bits);
  }
  const auto place_of = [&](std::uint32_t mark) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(numbers_, mark) - numbers_.begin());
  };
  for (Lines& lines : lines_) {
    std::ranges::transform(lines.marks, lines.marks.begin(), place_of);
    lines.of_missing = place_of(lines.of_missing);
  }
  for (std::size_t axis = 0; axis < lines_.size(); ++axis)
    ordinary_.push_back(ordinary_stretch(lines_[axis], root[axis]));
}

/// Stops at the ends of blocks of the whole table, so that the pieces in which rows come do not matter.
void MarkFinder::add(const forest::Rows& rows, std::uint64_t first_row, MarkSets& sets) const {
  std::array<RowMarks, forest::block_rows> marks;
  for (std::size_t begin = 0; begin < rows.n && first_row + begin < sets.end();) {
    const std::size_t n =
        std::min<std::size_t>(rows.n - begin, forest::block_rows - (first_row + begin) % forest::block_rows);
    const auto found = std::span(marks).first(n);
    std::ranges::fill(found, RowMarks());
    find(rows, begin, found);
    for (std::size_t i = 0; i < n; ++i) {
      if (found[i].marks().size() < 2) continue;
      MarkSets::Numbers numbers = found[i].numbers();
      for (std::uint32_t& place : numbers) place = numbers_[place];
      sets.add(numbers, first_row + begin + i);
    }
    sets.keep_bound();
    begin += n;
  }
}

void MarkFinder::find(const forest::Rows& rows, std::size_t begin, std::span<RowMarks> marks) const {
  constexpr std::size_t most_columns = 8;  // their values in a row are in one or two lines of memory as a rule
  for (std::size_t first = 0; first < ordinary_.size(); first += most_columns) {
    const std::size_t end = std::min(first + most_columns, ordinary_.size());
    for (std::size_t i = 0; i < marks.size(); ++i)
      for (std::size_t axis = first; axis < end; ++axis) {
        const double x = rows.columns[axis][begin + i];
        if (ordinary_[axis].holds(x)) continue;
        const std::uint32_t mark = lines_[axis].mark_of(x);
        if (mark != 0) marks[i].add({mark, bits_[mark]});
      }
  }
}

}  // namespace pidforest::reasons
