// SPDX-License-Identifier: Apache-2.0
// Lines of a stream as rows. The first lines are buffered to find the types of the columns, unless a schema or a state
// has them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// The columns that the flags of a stream name.
struct LiveColumns {
  std::vector<std::string> ignore;
  std::string time;
  std::string by;
  bool calendar = false;
  /// The schema that was given, if any.
  std::optional<Schema> schema;
};

/// A line and its number in the input.
struct BufferedLine {
  std::string text;
  std::uint64_t number = 0;
};

/// The columns of a stream, as far as they are known: what a resumed run needs.
struct KnownColumns {
  /// The types of the columns: schemas as JSON, and the columns that are neither numbers nor texts yet. `times` is
  /// empty without a time column.
  struct Types {
    std::string reading;  // empty if it has no columns
    std::vector<std::string> undecided;
    std::string features;
    std::string times;
  };

  std::string header;
  /// The lines that wait until there are enough to find the types.
  std::vector<BufferedLine> buffered = {};
  std::optional<Types> types = {};
};

class LiveReader {
 public:
  /// `header` is the first line of CSV, and empty for JSON lines. Types are found by `n_to_judge` lines. Throws
  /// InvalidInput for a header that is not one, that misses a requested column, or that has a column of the name of a
  /// finding, and if no column is left to score.
  LiveReader(TextFormat format, LiveColumns columns, std::string header, std::size_t n_to_judge);

  /// Whether the types of the columns are known, so that lines can be read.
  [[nodiscard]] bool is_ready() const { return reader_ != nullptr; }
  /// Buffers a line until there are enough. Throws InvalidInput if the line is not a row, whatever the types.
  void buffer(std::string_view line, std::uint64_t number);
  [[nodiscard]] std::size_t n_buffered() const { return buffered_.size(); }
  [[nodiscard]] bool has_enough() const { return !is_ready() && buffered_.size() >= n_to_judge_; }
  /// Hands the buffered lines over.
  [[nodiscard]] std::vector<BufferedLine> take_buffered() { return std::exchange(buffered_, {}); }
  /// Finds the types of the columns by these lines, which are rows. Throws InvalidInput.
  void judge(const std::vector<BufferedLine>& lines);
  /// The only row of a line, with all columns. Valid until the next call. Throws InvalidInput.
  Table read(std::string_view line, std::uint64_t number);

  /// The schema of the rows for a stream, without the columns of time and key. Once ready.
  [[nodiscard]] const Schema& features() const { return features_; }
  /// The schema of the time column `LiveColumns::time`.
  [[nodiscard]] const std::optional<ColumnSchema>& times() const { return times_; }
  /// The columns of the header row; none for JSON lines.
  [[nodiscard]] const std::vector<std::string>& names() const { return form_.not_in_schema(); }
  [[nodiscard]] char delimiter() const { return form_.delimiter(); }
  [[nodiscard]] const std::string& header() const { return header_; }

  [[nodiscard]] KnownColumns known() const;
  /// Restores the columns of a reader with this header. Throws InvalidInput for columns that no reader can have had.
  void restore(const KnownColumns& known);

 private:
  void check_header() const;
  [[nodiscard]] std::vector<std::string> no_features() const;
  [[nodiscard]] std::string beginning() const;
  void make_reader(const std::vector<std::string>& undecided);
  void find_features(const TableStore& rows);
  void keep_decisions(const Table& row);
  void check_features() const;
  void check_restored(const std::vector<std::string>& undecided) const;

  TextFormat format_;
  LiveColumns columns_;
  std::string header_;
  std::size_t n_to_judge_;
  std::vector<BufferedLine> buffered_;
  /// Reads no column; checks the form of lines only.
  TableReader form_;
  /// Which columns are numbers and which are texts.
  Schema reading_;
  std::unique_ptr<TableReader> reader_;
  /// The columns that have had no value yet.
  std::vector<std::string> undecided_;
  Schema features_;
  std::optional<ColumnSchema> times_;
};

}  // namespace pidforest::cli
