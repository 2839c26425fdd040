// SPDX-License-Identifier: Apache-2.0
// Owned values of one column: copied from a table, viewed as a column again, written to a file and read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/table.h"
#include "system/scratch_file.h"

namespace pidforest::table {

/// Location, type and number of the values that were written to a file.
struct StoredColumn {
  ColumnType type = ColumnType::number;
  bool are_local = false;
  char decimal = '.';
  std::size_t n_rows = 0;
  std::uint64_t n_characters = 0;
  std::uint64_t place = 0;
};

class ColumnValues {
 public:
  ColumnValues() = default;
  /// Constructs `n_rows` missing values.
  ColumnValues(ColumnType type, std::size_t n_rows);

  [[nodiscard]] ColumnType type() const { return type_; }
  [[nodiscard]] std::size_t n_bytes() const;
  /// Together with the views that show the values as a column.
  [[nodiscard]] std::size_t n_bytes_shown() const { return n_bytes() + lengths_.size() * sizeof(std::string_view); }
  /// Frees memory beyond `n_bytes()`.
  void shrink();

  /// Copies rows. If the type differs from that of the earlier rows, either the old or the new values must all be
  /// missing.
  void append(const Column& column, std::size_t n_rows);

  [[nodiscard]] StoredColumn write(system::ScratchFile& file) const;
  void read(const system::ScratchFile& file, const StoredColumn& stored);

  /// Returns the values as a column, which views this object and, for texts, `texts`.
  [[nodiscard]] Column view(const std::string& name, std::vector<std::string_view>& texts) const;

 private:
  void append_missing(std::size_t n_rows);
  void append_numbers(const Column& column, std::size_t n_rows);
  void append_texts(const Column& column, std::size_t n_rows);

  ColumnType type_ = ColumnType::number;
  bool are_local_ = false;
  char decimal_ = '.';
  std::size_t n_rows_ = 0;
  /// Booleans are stored here too.
  std::vector<double> numbers_;
  std::vector<std::int64_t> times_;
  /// Length of each text; the texts are concatenated in `characters_`.
  std::vector<std::uint32_t> lengths_;
  std::string characters_;
};

}  // namespace pidforest::table
