// SPDX-License-Identifier: Apache-2.0
#include "reader/row_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "values/excerpt.h"

namespace pidforest::reader {

template <class T>
T* RowBatch::Room<T>::of_at_least(std::size_t wanted) {
  if (wanted > size) {
    memory = std::make_unique_for_overwrite<T[]>(wanted);  // NOLINT(modernize-avoid-c-arrays)
    size = wanted;
  }
  return memory.get();
}

std::string message_of(const Complaint& complaint, std::uint64_t n_lines_before, std::uint64_t n_bytes_before) {
  const std::string column =
      complaint.column.empty() ? "" : fmt::format(", column '{}'", values::excerpt(complaint.column));
  return fmt::format("line {}{}, byte {}: {}", n_lines_before + complaint.n_lines_before + 1, column,
                     n_bytes_before + complaint.n_bytes_before, complaint.words);
}

void RowBatch::clear(std::span<const TextColumn> text_columns, std::size_t most_rows) {
  n_rows = n_bytes = n_lines = n_bad_rows = 0;
  first_bad.reset();
  refusal.reset();
  lost_quotes = false;
  sparseness = {};
  made_texts.clear();
  new_keys.clear();
  nested.clear();
  const auto n_with = [&](auto has) { return static_cast<std::size_t>(std::ranges::count_if(text_columns, has)); };
  const auto is_text = [](const TextColumn& c) { return c.reading == FieldType::texts; };
  const auto is_number = [](const TextColumn& c) { return reader::is_number(c.reading); };
  columns.assign(text_columns.size(), {});
  double* numbers = numbers_.of_at_least(most_rows * n_with(is_number));
  std::string_view* texts = texts_.of_at_least(most_rows * n_with(is_text));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (is_number(text_columns[c])) columns[c].numbers = std::exchange(numbers, numbers + most_rows);
    if (is_text(text_columns[c])) columns[c].texts = std::exchange(texts, texts + most_rows);
  }
}

void UnreadValues::add(const std::string& key, std::uint64_t n_values) {
  if (n_by_key_.size() < most_keys || n_by_key_.contains(key)) n_by_key_[key] += n_values;
}

void UnreadValues::add(const UnreadValues& more) {
  for (const auto& [key, n_values] : more.n_by_key_) add(key, n_values);
}

void RowBatch::add_new_key(std::string key) {
  if (std::ranges::find(new_keys, key) == new_keys.end()) new_keys.push_back(std::move(key));
}

void BatchColumn::forget(std::size_t row) {
  if (last_word == row) {
    --n_words;
    last_word = none;
  }
  for (std::size_t* first : {&first_text, &first_of_kind[0], &first_of_kind[1], &first_of_kind[2], &first_word})
    if (*first == row) *first = none;
}

void RowBatch::forget_row() {
  for (BatchColumn& column : columns) column.forget(n_rows);
}

void RowBatch::leave_out(Complaint complaint, bool skip) {
  forget_row();
  if (!skip) {
    refusal = std::move(complaint);
    return;
  }
  ++n_bad_rows;
  if (!first_bad) first_bad = std::move(complaint);
}

}  // namespace pidforest::reader
