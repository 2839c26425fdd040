// SPDX-License-Identifier: Apache-2.0
// What `detect --report` and `report` share: the flags, and the page that they write.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "flags/series_flags.h"
#include "in/training.h"
#include "out/output_file.h"
#include "out/work.h"
#include "pidforest/explain.h"
#include "pidforest/report.h"

namespace CLI {
class App;
}  // namespace CLI

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

/// A page that will be written.
class ReportOutput {
 public:
  /// `data` is the file that is reported on. Throws FileError if the report cannot be written.
  ReportOutput(const ReportFlags& flags, std::string data);

  /// Describes scored rows and writes the page; then it is there, whole. `options` say what rows are called and when
  /// they were; the flags say the rest.
  void write(Explainer& explainer, const Scores& scores, ReportOptions options, Work& work);

 private:
  const ReportFlags& flags_;
  std::string data_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  OutputFile file_;
};

/// What a report says of the rows that were read, by the flags that it was asked for with.
ReportOptions report_options(const Training& training, const SeriesFlags& series, const std::string& id,
                             std::optional<double> min_bits, const IncidentOptions& in_time = {});

}  // namespace pidforest::cli
