// SPDX-License-Identifier: Apache-2.0
#include "arrow/array_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest::arrow {

void ArrayColumn::append(ArrayPart part, std::size_t n_rows) {
  if (n_rows > 0) pieces.push_back({this->n_rows() + n_rows, std::move(part)});
}

void ArrayColumns::add(ArrayColumn column) {
  if (column.name.empty()) throw InvalidInput(fmt::format("column {} has no name.", columns_.size() + 1));
  if (names_.contains(column.name))
    throw InvalidInput(fmt::format("two columns are named '{}'; names must differ.", values::excerpt(column.name)));
  if (column.n_rows() != n_rows_)
    throw InvalidInput(fmt::format("column '{}' must have {} values, one per row; got {}.",
                                   values::excerpt(column.name), n_rows_, column.n_rows()));
  names_.insert(column.name);
  columns_.push_back(std::move(column));
}

bool ArrayColumns::are_viewed() const {
  return std::ranges::all_of(columns_, [](const ArrayColumn& column) {
    return column.pieces.size() == 1 && column.pieces.front().part.is_viewed;
  });
}

void ArrayColumns::for_each(std::size_t most_rows, const std::function<void(const Table& batch)>& visit) const {
  const std::size_t longest = are_viewed() ? n_rows_ : most_rows;
  std::vector<Scratch> scratch(columns_.size());
  std::vector<std::size_t> at(columns_.size());
  for (std::size_t begin = 0, end = 0; begin < n_rows_; begin = end) {
    end = begin + std::min(longest, n_rows_ - begin);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (columns_[j].pieces[at[j]].end == begin) ++at[j];
      end = std::min(end, columns_[j].pieces[at[j]].end);
    }
    std::vector<Column> shown;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto& pieces = columns_[j].pieces;
      const std::size_t first = at[j] == 0 ? 0 : pieces[at[j] - 1].end;
      shown.push_back(head(columns_[j], begin));
      pieces[at[j]].part.show(begin - first, end - first, scratch[j], shown[j]);
    }
    visit(Table(end - begin, std::move(shown)));
  }
}

void ArrayColumns::for_each_part(std::size_t column, std::size_t most_rows,
                                 const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
  Scratch scratch;
  std::size_t first = 0;
  for (const ArrayColumn::Chunk& piece : columns_[column].pieces) {
    for (std::size_t begin = first; begin < piece.end; begin += most_rows) {
      const std::size_t end = std::min(begin + most_rows, piece.end);
      Column shown = head(columns_[column], begin);
      piece.part.show(begin - first, end - first, scratch, shown);
      visit(shown, end - begin);
    }
    first = piece.end;
  }
}

Column ArrayColumns::head(const ArrayColumn& column, std::size_t begin) const {
  Column head{.name = column.name};
  head.type = column.type;
  head.first_row = first_row_ + begin;
  return head;
}

}  // namespace pidforest::arrow
