// SPDX-License-Identifier: Apache-2.0
// Rows read from a piece of text, by column, and the errors of the rejected rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/missing_words.h"

namespace pidforest::reader {

/// How the fields of a column are read. `undecided`: as numbers, recording the fields that are not numbers.
enum class FieldType : std::uint8_t { skipped, numbers, texts, undecided };

inline bool is_number(FieldType reading) { return reading == FieldType::numbers || reading == FieldType::undecided; }

/// A column of a text table.
struct TextColumn {
  std::string name;
  FieldType reading = FieldType::skipped;
  /// True if the schema requires numbers.
  bool is_by_schema = false;
};

/// A piece of text that begins with a row. It ends with a row too, or else at `limit`, the end of the buffered text,
/// which is a line end if no more text follows. The `lookahead` bytes after `limit` are zero.
struct TextPiece {
  const char* begin = nullptr;
  const char* end = nullptr;
  const char* limit = nullptr;
  bool is_final = false;
};

/// An error and its place: the number of line ends and bytes before it in the piece.
struct Complaint {
  std::size_t n_lines_before = 0;
  std::size_t n_bytes_before = 0;
  /// Empty if the error concerns the whole row.
  std::string column = {};
  std::string words = {};
};

/// Returns "line 3, column 'memory', byte 21: must be ...". The two numbers count the line ends and bytes before the
/// piece.
std::string message_of(const Complaint& complaint, std::uint64_t n_lines_before, std::uint64_t n_bytes_before);

/// One column of a batch, read as numbers or as texts.
struct BatchColumn {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  double* numbers = nullptr;
  std::string_view* texts = nullptr;
  /// What a text of an undecided column is: a number with the other decimal separator, one whose separator may be of
  /// thousands, or anything else.
  enum class TextKind : std::uint8_t { other_decimal, thousands, plain };

  /// For undecided columns: the first row with a text of each kind, and of any kind.
  std::size_t first_text = none;
  std::array<std::size_t, 3> first_of_kind{none, none, none};
  /// For numbers: the words that counted as missing, their number, and their first and last row.
  values::MissingWords words = {};
  std::size_t n_words = 0;
  std::size_t first_word = none;
  std::size_t last_word = none;

  void note_text(std::size_t row, TextKind kind) {
    std::size_t& first = first_of_kind[static_cast<std::size_t>(kind)];
    first = std::min(first, row);
    first_text = std::min(first_text, row);
  }
  [[nodiscard]] bool has(TextKind kind) const { return first_of_kind[static_cast<std::size_t>(kind)] != none; }
  void note_word(std::size_t row, std::string_view word) {
    words.add(word);
    ++n_words;
    first_word = std::min(first_word, row);
    last_word = row;
  }
  /// Discards what the row has recorded.
  void forget(std::size_t row);
};

/// How much larger rows are in memory than their text: values beyond `values_per_byte` per byte, at the worst row end
/// so far. Depends on the rows only, not on the way in which the text is cut into pieces.
class Sparseness {
 public:
  static constexpr std::int64_t values_per_byte = 16;

  /// Adds a row.
  void add(std::size_t n_values, std::size_t n_bytes) {
    now_ += static_cast<std::int64_t>(n_values) - values_per_byte * static_cast<std::int64_t>(n_bytes);
    most_ = std::max(most_, now_);
  }
  /// Adds the rows of the next piece.
  void add(const Sparseness& next) {
    most_ = std::max(most_, now_ + next.most_);
    now_ += next.now_;
  }
  [[nodiscard]] std::uint64_t most() const { return static_cast<std::uint64_t>(most_); }

 private:
  std::int64_t now_ = 0;
  /// At least 0, the value before the first row.
  std::int64_t most_ = 0;
};

/// How many values were not read, by key. Keys beyond `most_keys` are not counted.
class UnreadValues {
 public:
  static constexpr std::size_t most_keys = 1000;

  void add(const std::string& key, std::uint64_t n_values);
  void add(const UnreadValues& more);
  void clear() { n_by_key_.clear(); }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& by_key() const { return n_by_key_; }

 private:
  std::map<std::string, std::uint64_t> n_by_key_;
};

/// The memory is reused from piece to piece.
class RowBatch {
 public:
  std::size_t n_rows = 0;
  std::vector<BatchColumn> columns = {};
  /// Texts that differ from the bytes of the file, such as unescaped ones. Views of them stay valid.
  std::deque<std::string> made_texts = {};

  /// Where reading stopped: bytes and line ends from the start of the piece.
  std::size_t n_bytes = 0;
  std::size_t n_lines = 0;
  Sparseness sparseness = {};
  /// The number of skipped rows, and the error of the first of them.
  std::size_t n_bad_rows = 0;
  std::optional<Complaint> first_bad = {};
  /// json: keys that are to be columns, in order of first appearance; the rows must be read again with them.
  std::vector<std::string> new_keys = {};
  /// json: arrays and deeply nested objects.
  UnreadValues nested = {};
  /// The error that ends all reading.
  std::optional<Complaint> refusal = {};
  /// Quoting became ambiguous at a bad row; the rest of the text must be split into pieces again.
  bool lost_quotes = false;

  void add_new_key(std::string key);
  /// Removes all rows and makes room for `most_rows` of the given columns.
  void clear(std::span<const TextColumn> text_columns, std::size_t most_rows);

  /// Discards what the current row, the one after the last, has recorded about its columns.
  void forget_row();
  /// Rejects the current row: it is skipped, or it ends all reading.
  void leave_out(Complaint complaint, bool skip);

 private:
  /// Memory that is not touched before it is written: it is sized for the shortest possible rows, and most rows are
  /// longer.
  template <class T>
  struct Room {
    std::unique_ptr<T[]> memory = {};  // NOLINT(modernize-avoid-c-arrays)
    std::size_t size = 0;

    T* of_at_least(std::size_t wanted);
  };

  Room<double> numbers_;
  Room<std::string_view> texts_;
};

}  // namespace pidforest::reader
