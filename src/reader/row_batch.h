// SPDX-License-Identifier: Apache-2.0
// Rows that were read from a piece of text, column by column, and what was wrong with the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest::reader {

/// What the fields of a column are read as. `undecided`: as numbers, with a note of those that are none.
enum class Reading : std::uint8_t { skipped, numbers, texts, undecided };

inline bool is_number(Reading reading) { return reading == Reading::numbers || reading == Reading::undecided; }

/// A column of the text.
struct TextColumn {
  std::string name;
  Reading reading = Reading::skipped;
  /// It is the schema that wants numbers.
  bool is_by_schema = false;
};

/// A piece of text that begins with a row. It ends with one too, or else at `limit`, where the text that is at hand
/// ends: with a line end if there is no more to come. Behind that `lookahead` bytes are zero.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;
  const char* limit = nullptr;
  bool is_final = false;
};

/// What is wrong, and where: line ends and bytes before it, counted from the begin of the piece.
struct Complaint {
  std::size_t n_lines_before = 0;
  std::size_t n_bytes_before = 0;
  /// Empty if it is about the row.
  std::string column = {};
  std::string words = {};
};

/// "line 3, column 'memory', byte 21: must be ...", for a piece that begins behind so many line ends and bytes.
std::string message_of(const Complaint& complaint, std::uint64_t n_lines_before, std::uint64_t n_bytes_before);

/// One column of a batch: numbers or texts, as it was read.
struct BatchColumn {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  double* numbers = nullptr;
  std::string_view* texts = nullptr;
  /// Undecided columns: the first row with a text, and with one that is not even a number with a decimal comma.
  std::size_t first_text = none;
  std::size_t first_plain_text = none;

  void note_text(std::size_t row, bool is_plain) {
    first_text = std::min(first_text, row);
    if (is_plain) first_plain_text = std::min(first_plain_text, row);
  }
};

/// The memory is kept from piece to piece.
class RowBatch {
 public:
  std::size_t n_rows = 0;
  std::vector<BatchColumn> columns = {};
  /// Texts that do not stand in the file as they are. Views of them stay valid.
  std::deque<std::string> made_texts = {};

  /// Where reading stopped, in bytes from the begin of the piece, and the line ends up to there.
  std::size_t n_bytes = 0;
  std::size_t n_lines = 0;
  /// Rows left out, and what is wrong with the first of them.
  std::size_t n_bad_rows = 0;
  std::optional<Complaint> first_bad = {};
  /// What ends all reading.
  std::optional<Complaint> refusal = {};
  /// A bad row ended where no quotes tell: what comes after it must be cut into pieces anew.
  bool lost_quotes = false;

  /// Forgets all rows and makes room for `most_rows` of the given columns.
  void clear(std::span<const TextColumn> text_columns, std::size_t most_rows);

  /// Forgets what the row at hand, the one after the last, has said about undecided columns.
  void forget_row();
  /// The row at hand is bad: it is skipped, or ends all reading.
  void leave_out(Complaint complaint, bool skip);

 private:
  /// Memory that is not touched before it is written to: most rows are longer than they need be.
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
