// SPDX-License-Identifier: Apache-2.0
// A report on the anomalies of a table: one HTML file that any browser opens. Link pidforest::report.
//
//   std::vector<double> speed(500, 50.0);
//   speed[123] = 220;
//   const auto table = pidforest::Table::row_major(speed, 1, {"speed"});
//   const auto model = pidforest::Model::fit(table);
//   pidforest::write_report("report.html", model, pidforest::score_table(model, table));
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/compare.h"
#include "pidforest/explain.h"
#include "pidforest/incidents.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace [[gnu::visibility("default")]] pidforest {

struct ReportOptions {
  std::string title = "Report";
  /// Further facts for the head of the report, as name and value. They come first.
  std::vector<std::pair<std::string, std::string>> facts = {};
  /// Rows with at least this many bits are anomalies. Without a value: rows above the model's threshold.
  std::optional<double> min_bits = {};
  /// The column that names the rows. Empty: rows are named by their numbers.
  std::string id = {};
  /// The column of times. Empty: the first column of times that the model knows.
  std::string time = {};
  /// The column that tells several series apart. Empty: there is one series.
  std::string by = {};
  /// Set: an incident is anomalies of one series that follow each other in time; requires `time`. Without a value: it
  /// is anomalies that share a reason.
  std::optional<IncidentOptions> in_time = {};
  /// The differences from the rows of the fit, as `compare` finds them. Without a value the report does not say.
  std::optional<TableComparison> changes = {};
  SqlDialect sql = SqlDialect::standard;
  /// Rows that are anomalies by a label. Empty: no labels.
  std::vector<bool> labels = {};
  /// Declarations of columns that the model does not use: how to read their times.
  Schema declared = {};
  /// At least this many rows are listed, anomalies or not.
  std::size_t fewest_rows = 10;
  /// At most this many anomalies are listed, in addition to the rarest of each incident.
  std::size_t most_rows = 200;
  /// At most this many pairs of columns are drawn.
  std::size_t most_pairs = 60;
};

/// The report as one HTML page that loads nothing from elsewhere. Its counts cover all rows; the page says what it
/// leaves out or samples. Memory: one bit per row, and some 20 bytes while incidents in time are found, in addition to
/// the rows that are listed. Throws InvalidInput for a missing column, and Cancelled.
std::string report_html(Explainer& explainer, const Scores& scores, const ReportOptions& options = {},
                        const Run& run = {});
/// Counts the witnesses in the scored table itself.
std::string report_html(const Model& model, const Scores& scores, const ReportOptions& options = {},
                        const Run& run = {});

/// Writes that page to a file, whole or not at all. Opens the file first, so that a path that cannot be written fails
/// at once. Throws FileError in addition.
void write_report(const std::string& path, const Model& model, const Scores& scores, const ReportOptions& options = {},
                  const Run& run = {});

}  // namespace pidforest
