// SPDX-License-Identifier: Apache-2.0
// Lines of a stream as rows. The types of the columns are inferred from the first lines, or given by a schema or a
// state.
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

/// The columns that the flags of a stream name.
struct LiveColumns {
  std::vector<std::string> ignore;
  std::string time;
  std::string by;
  bool calendar = false;
  /// The schema given by the user.
  std::optional<Schema> schema;
};

class LiveReader {
 public:
  /// `header` is the first line of CSV, empty for JSON lines. Throws InvalidInput for an invalid header, a missing
  /// column, or a column with the name of an added one.
  LiveReader(TextFormat format, LiveColumns columns, std::string header);

  /// Whether the types of the columns are known.
  [[nodiscard]] bool is_ready() const { return reader_ != nullptr; }
  /// Throws InvalidInput if the line is not a row, whatever the types of its columns.
  void check_form(std::string_view line, std::uint64_t number);
  /// Infers the types of the columns from these lines, which are rows. Throws InvalidInput.
  void judge(const std::vector<std::string>& lines);
  /// The only row of a line; all columns. Valid until the next call. Throws InvalidInput.
  Table read(std::string_view line, std::uint64_t number);

  /// The schema of the events, without the time and key columns. Only once ready.
  [[nodiscard]] const Schema& features() const { return features_; }
  /// The schema of the time column `LiveColumns::time`.
  [[nodiscard]] const std::optional<ColumnSchema>& times() const { return times_; }
  [[nodiscard]] char delimiter() const { return form_.delimiter(); }
  [[nodiscard]] const std::string& header() const { return header_; }

  /// Saves and restores everything known about the columns. Throws InvalidInput for an invalid document.
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
  /// Which columns are numbers and which are text.
  Schema reading_;
  std::unique_ptr<TableReader> reader_;
  Schema features_;
  std::optional<ColumnSchema> times_;
};

}  // namespace pidforest::cli
