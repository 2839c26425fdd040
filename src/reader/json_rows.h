// SPDX-License-Identifier: Apache-2.0
// Rows as JSON lines: one flat object per line, with the columns as keys.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reader/column_choice.h"
#include "reader/field.h"
#include "reader/row_format.h"

namespace pidforest::reader {

class JsonRows : public RowFormat {
 public:
  /// `choice` says which keys that are not columns are allowed.
  JsonRows(ColumnChoice choice, FieldReader fields, bool skip_bad_rows)
      : choice_(std::move(choice)), fields_(std::move(fields)), skip_bad_rows_(skip_bad_rows) {}

  [[nodiscard]] std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) const override;
  void read(const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) const override;

 private:
  ColumnChoice choice_;
  FieldReader fields_;
  bool skip_bad_rows_;
};

/// Returns the keys of all lines that are objects, in order of first appearance. Throws InvalidInput if there are too
/// many.
std::vector<std::string> keys_of(std::string_view text);

}  // namespace pidforest::reader
