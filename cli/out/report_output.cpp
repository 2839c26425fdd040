// SPDX-License-Identifier: Apache-2.0
#include "out/report_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

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

void ReportOutput::add(const std::vector<double>& bits, const std::vector<bool>& is_known) {
  bits_.insert(bits_.end(), bits.begin(), bits.end());
  is_known_.insert(is_known_.end(), is_known.begin(), is_known.end());
}

ReportOptions ReportOutput::options() const {
  const std::string name = data_ == "-" ? "standard input" : std::filesystem::path(data_).filename().string();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
  ReportOptions options{.title = flags_.title.empty() ? name : flags_.title};
  options.facts.emplace_back("Data", name);
  options.facts.emplace_back("Created", fmt::format("{:%Y-%m-%d %H:%M} UTC by pidforest {}, scored in {:.1f} s",
                                                    fmt::gmtime(std::time(nullptr)), PIDFOREST_VERSION, took.count()));
  if (!flags_.sql.empty()) options.sql = sql_dialect(flags_.sql);
  return options;
}

void ReportOutput::write(const Model& model, const Source& source, std::optional<double> min_bits,
                         const std::string& id, Work& work) {
  ReportOptions asked = options();
  asked.min_bits = min_bits;
  asked.id = id;
  asked.time = source.series.time;
  asked.by = source.series.by;
  const std::string page = report_html(model,
                                       {.rows = source.rows,
                                        .scored = source.scored,
                                        .bits = bits_,
                                        .scored_rows = source.scored_rows,
                                        .is_known = is_known_,
                                        .labels = source.labels,
                                        .declared = source.declared},
                                       asked, work.run());
  work.end_progress();
  file_.write(page);
  file_.commit();
  if (flags_.file != "-") work.say(fmt::format("report written to {}; open it in a browser", flags_.file));
}

}  // namespace pidforest::cli
