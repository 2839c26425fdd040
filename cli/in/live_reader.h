// SPDX-License-Identifier: Apache-2.0
// Lines of a stream as rows: what the columns hold is judged by the first lines, or known from a schema or a state.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// The columns that a stream is asked for.
struct LiveColumns {
  std::vector<std::string> ignore;
  std::string time;
  std::string by;
  bool calendar = false;
  /// What was given.
  std::optional<Schema> schema;
};

class LiveReader {
 public:
  /// `header` is the first line of CSV, nothing of JSON lines. Throws InvalidInput for a header that is none, or lacks
  /// a column that is asked for, or has one that is a name of what is added.
  LiveReader(TextFormat format, LiveColumns columns, std::string header);

  /// Whether it is known what columns hold.
  [[nodiscard]] bool is_ready() const { return reader_ != nullptr; }
  /// Throws InvalidInput if the line is no row, whatever its columns hold.
  void check_form(std::string_view line, std::uint64_t number);
  /// Judges columns by these lines, which are rows. Throws InvalidInput.
  void judge(const std::vector<std::string>& lines);
  /// The only row of a line; all columns. Valid until the next call. Throws InvalidInput.
  Table read(std::string_view line, std::uint64_t number);

  /// What rows mean to a stream: without the columns that only say when and where. Once ready.
  [[nodiscard]] const Schema& features() const { return features_; }
  /// How the times of `LiveColumns::time` are written.
  [[nodiscard]] const std::optional<ColumnSchema>& times() const { return times_; }
  [[nodiscard]] char delimiter() const { return form_.delimiter(); }
  [[nodiscard]] const std::string& header() const { return header_; }

  /// All that is known of the columns, and back. Throws InvalidInput for what is none.
  [[nodiscard]] nlohmann::ordered_json to_json() const;
  void restore(const nlohmann::json& known);

 private:
  void check_header() const;
  [[nodiscard]] std::string beginning() const;
  void make_reader(const std::vector<std::string>& undecided);
  void find_features(const TableStore& rows);

  TextFormat format_;
  LiveColumns columns_;
  std::string header_;
  /// Reads no column at all.
  TableReader form_;
  /// Which columns are numbers and which texts.
  Schema reading_;
  std::unique_ptr<TableReader> reader_;
  Schema features_;
  std::optional<ColumnSchema> times_;
};

}  // namespace pidforest::cli
