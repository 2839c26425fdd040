// SPDX-License-Identifier: Apache-2.0
#include "out/report_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "flags/sql_flag.h"
#include "pidforest/error.h"

namespace pidforest::cli {

void ReportFlags::check() const {
  if (!is_asked_for() && (!sql.empty() || !title.empty()))
    throw InvalidOption(fmt::format("{} requires --report.", sql.empty() ? "--title" : "--sql"));
  if (!sql.empty()) (void)sql_dialect(sql);
}

void add_report_flags(CLI::App& verb, ReportFlags& flags) {
  verb.add_option("--title", flags.title, "title of the report; the file name by default")->type_name("TEXT");
  verb.add_option("--sql", flags.sql,
                  "SQL dialect of the queries in the report: standard (PostgreSQL, DuckDB) or sqlite; default standard")
      ->type_name("standard|sqlite");
}

ReportOutput::ReportOutput(const ReportFlags& flags, std::string data)
    : flags_(flags), data_(std::move(data)), file_(flags.file) {}

void ReportOutput::write(Explainer& explainer, const Scores& scores, ReportOptions options, Work& work) {
  const std::string name = data_ == "-" ? "standard input" : std::filesystem::path(data_).filename().string();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
  options.title = flags_.title.empty() ? name : flags_.title;
  options.facts.emplace_back("Data", name);
  options.facts.emplace_back("Created", fmt::format("{:%Y-%m-%d %H:%M} UTC by pidforest {}, scored in {:.1f} s",
                                                    fmt::gmtime(std::time(nullptr)), PIDFOREST_VERSION, took.count()));
  if (!flags_.sql.empty()) options.sql = sql_dialect(flags_.sql);
  const std::string page = report_html(explainer, scores, options, work.run());
  work.end_progress();
  file_.write(page);
  file_.commit();
  if (flags_.file != "-") work.say(fmt::format("report written to {}; open it in a browser", flags_.file));
}

ReportOptions report_options(const Training& training, const SeriesFlags& series, const std::string& id,
                             std::optional<double> min_bits) {
  ReportOptions options{.min_bits = min_bits, .id = id, .time = series.time, .by = series.by};
  options.labels = training.labels;
  options.declared = training.declared;
  return options;
}

}  // namespace pidforest::cli
