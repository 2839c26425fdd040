// SPDX-License-Identifier: Apache-2.0
// Reads a text table in rounds: a block of bytes is cut into pieces, read by several threads and returned in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/reader.h"
#include "pidforest/table.h"
#include "reader/byte_window.h"
#include "reader/column_choice.h"
#include "reader/field.h"
#include "reader/json_items.h"
#include "reader/row_batch.h"
#include "reader/row_format.h"

namespace pidforest::reader {

/// In bytes, except `most_rows`. Only `stretch` and `longest_row` affect the result.
struct ReaderSizes {
  /// Bytes that one thread reads at a time.
  std::size_t piece = std::size_t{1} << 20;
  /// The first bytes of the file, from which the types of columns are decided.
  std::size_t stretch = std::size_t{1} << 24;
  std::size_t longest_row = std::size_t{1} << 28;
  std::size_t most_rows = std::size_t{1} << 16;
};

/// More columns than a fit can compare with each other in a minute or so.
inline constexpr std::size_t most_columns = 10'000;

/// The implementation of TableReader for text; see there for the contract.
class TextReader {
 public:
  TextReader(ByteSource bytes, const TextFormat& format, const ColumnSelection& selection, Run run,
             const ReaderSizes& sizes = {});

  std::optional<Table> next();
  Table read_line(std::string_view line, std::uint64_t number);

  [[nodiscard]] std::vector<std::string> undecided() const;
  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] const std::vector<std::string>& not_in_schema() const { return not_in_schema_; }
  [[nodiscard]] std::uint64_t n_bad_rows() const { return n_bad_rows_; }
  [[nodiscard]] const std::string& first_bad_row() const { return first_bad_row_; }
  [[nodiscard]] bool is_json() const { return is_json_; }
  [[nodiscard]] std::vector<MissingByWords> missing_by_words() const;
  [[nodiscard]] std::vector<NestedValues> nested_values() const;
  [[nodiscard]] std::uint64_t n_bytes_read() const { return window_.n_bytes_read(); }
  [[nodiscard]] std::uint64_t n_sparse_values() const { return sparseness_.most(); }

 private:
  /// The result of cutting a text into pieces and reading them, up to the first piece that was not read completely.
  struct Round {
    std::size_t n_batches = 0;
    bool is_over = false;
    bool lost_quotes = false;
  };

  /// The words of a column of numbers that counted as missing.
  struct Words {
    std::uint64_t n_values = 0;
    values::MissingWords words = {};

    void add(const BatchColumn& column);
  };

  void fill(std::size_t size);
  void begin_csv(const TextFormat& format, const ColumnChoice& choice);
  void begin_json(const TextFormat& format, const ColumnChoice& choice);
  void add_columns(const std::vector<std::string>& names, const ColumnChoice& choice);
  /// Makes new keys columns, so that the batch is read again; returns false if there are none.
  bool add_new_keys(const RowBatch& batch);

  enum class Cutting : std::uint8_t { into_pieces, as_a_whole };

  /// Reads the text, or as much as one round takes, into the first batches.
  Round read_pieces(std::string_view text, Cutting cutting);
  [[nodiscard]] std::vector<TextPiece> cut(std::string_view text, Cutting cutting) const;

  /// Decides the types of all columns that have values in the first stretch.
  void decide_types();
  /// Decides the columns whose first value is the earliest in a batch; returns false if there are none. Other columns
  /// wait until the batch is read again, because their values may be in rows that are now invalid.
  bool decide_late(const RowBatch& batch);

  bool read_round();
  /// Accepts the batches of a round and returns their size in bytes.
  std::size_t accept(const Round& round);
  [[nodiscard]] Table table_of(const RowBatch& batch) const;
  Table empty_table();
  [[noreturn]] void refuse_long_row() const;

  /// Null for CSV.
  std::shared_ptr<JsonItems> items_;
  ByteWindow window_;
  Run run_;
  ReaderSizes sizes_;
  std::size_t n_pieces_;
  FieldReader fields_ = FieldReader('.', {});
  RowFormat format_;
  std::vector<TextColumn> columns_;
  std::vector<std::string> not_in_schema_;
  char delimiter_ = ',';
  bool is_json_ = false;
  /// Kept for keys that are new in the middle of JSON.
  std::optional<ColumnChoice> choice_;

  std::vector<std::unique_ptr<RowBatch>> batches_;
  std::size_t n_ready_ = 0;
  std::size_t next_batch_ = 0;
  std::size_t next_row_ = 0;
  bool has_given_ = false;
  std::uint64_t n_given_rows_ = 0;
  std::uint64_t n_lines_ = 0;
  std::size_t wanted_;
  Cutting cutting_ = Cutting::into_pieces;
  Sparseness sparseness_;
  /// By column.
  std::vector<Words> words_;
  UnreadValues nested_;
  std::uint64_t n_bad_rows_ = 0;
  std::string first_bad_row_;
  std::optional<std::string> refusal_;
  /// A line that was added on its own, and its row.
  std::string line_;
  RowBatch line_batch_;
};

}  // namespace pidforest::reader
