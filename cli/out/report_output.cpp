// SPDX-License-Identifier: Apache-2.0
#include "out/report_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <utility>

#include "flags/sql_flag.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

/// The time that the environment gives reports, so that the same command writes the same bytes again.
std::optional<std::time_t> source_date() {
  constexpr std::int64_t end_of_year_9999 = 253'402'300'799;
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  const std::string_view text(given == nullptr ? "" : given);
  if (text.empty()) return std::nullopt;
  std::int64_t seconds = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || rest != text.data() + text.size() || seconds < 0 || seconds > end_of_year_9999)
    throw InvalidOption(fmt::format(
        "SOURCE_DATE_EPOCH must be a whole number of seconds since 1970, from 0 to {}; got '{}'. Correct or unset it.",
        end_of_year_9999, text));
  return seconds;
}

/// When and by what a report was made, and how long the scores took, if that is not to be the same every time.
std::string creation(double seconds) {
  const std::optional<std::time_t> given = source_date();
  const std::string words = fmt::format("{:%Y-%m-%d %H:%M} UTC by pidforest {}",
                                        fmt::gmtime(given.value_or(std::time(nullptr))), PIDFOREST_VERSION);
  return given ? words : fmt::format("{}, scored in {:.1f} s", words, seconds);
}

}  // namespace

void ReportFlags::check() const {
  if (!is_asked_for() && (!sql.empty() || !title.empty()))
    throw InvalidOption(fmt::format("{} requires --report.", sql.empty() ? "--title" : "--dialect"));
  if (!sql.empty()) (void)sql_dialect(sql);
  if (is_asked_for()) (void)source_date();
}

void add_report_flags(CLI::App& verb, ReportFlags& flags) {
  verb.add_option("--title", flags.title, "title of the report; the file name by default")->type_name("TEXT");
  verb.add_option("--dialect", flags.sql,
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
  options.facts.emplace_back("Created", creation(took.count()));
  if (!flags_.sql.empty()) options.sql = sql_dialect(flags_.sql);
  const std::string page = report_html(explainer, scores, options, work.run());
  work.end_progress();
  file_.write(page);
  file_.commit();
  if (flags_.file != "-") work.say(fmt::format("report written to {}; open it in a browser", flags_.file));
}

ReportOptions report_options(const Training& training, const SeriesFlags& series, const std::string& id,
                             std::optional<double> min_bits, const IncidentOptions& in_time) {
  ReportOptions options{.min_bits = min_bits, .id = id, .time = series.time, .by = series.by};
  if (!series.time.empty()) options.in_time = in_time;
  options.labels = training.labels;
  options.declared = training.declared;
  return options;
}

}  // namespace pidforest::cli
