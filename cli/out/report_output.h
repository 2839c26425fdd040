// SPDX-License-Identifier: Apache-2.0
// What `detect --report` and `report` share: the flags, and the page that they write.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flags/series_flags.h"
#include "out/output_file.h"
#include "out/work.h"
#include "pidforest/model.h"
#include "pidforest/report.h"

namespace pidforest::cli {

struct ReportFlags {
  /// Empty: no report is asked for.
  std::string file;
  std::string sql;
  std::string title;

  [[nodiscard]] bool is_asked_for() const { return !file.empty(); }
  /// Throws InvalidOption.
  void check() const;
};

/// Adds those that say what is in it; `flags` must live as long as the verb does.
void add_report_flags(CLI::App& verb, ReportFlags& flags);

/// A report that will be written: scores are gathered row by row, then all of it is described.
class ReportOutput {
 public:
  /// `data` is the file that is reported on. Throws FileError if the report cannot be written.
  ReportOutput(const ReportFlags& flags, std::string data);

  void add(const std::vector<double>& bits, const std::vector<bool>& is_known);

  /// Of the rows and what was scored of them.
  struct Source {
    const Batches& rows;
    const Batches& scored;
    std::span<const std::size_t> scored_rows;
    const std::vector<bool>& labels;
    const Schema& declared;
    const SeriesFlags& series;
  };
  /// Describes the rows, whose scores were all added, and writes the page; then it is there, whole.
  void write(const Model& model, const Source& source, std::optional<double> min_bits, const std::string& id,
             Work& work);

 private:
  [[nodiscard]] ReportOptions options() const;

  const ReportFlags& flags_;
  std::string data_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  OutputFile file_;
  std::vector<double> bits_;
  std::vector<bool> is_known_;
};

}  // namespace pidforest::cli
