// SPDX-License-Identifier: Apache-2.0
#include "report/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/scale.h"
#include "report/ticks.h"
#include "values/number_words.h"

namespace pidforest::report {

namespace {

using values::count_words;

/// "no rows", "1 row", "2,000 rows"
std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}", n == 0 ? "no" : count_words(n), values::noun_for(n, noun));
}

std::string columns_in_words(const Schema& schema) {
  const auto n_unused =
      static_cast<std::size_t>(std::ranges::count(schema.columns, Kind::ignored, &ColumnSchema::kind));
  const std::string used = count_words(schema.columns.size() - n_unused);
  return n_unused == 0 ? used : fmt::format("{}, and {} not used", used, count_words(n_unused));
}

std::string options_in_words(const Options& options) {
  std::vector<std::string> words;
  for (const OptionSpec& option : option_specs())
    words.push_back(fmt::format("{} {}", option.name, option.text(options)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string threshold_in_words(const Model& model, const ReportOptions& options) {
  if (options.min_bits) return fmt::format("at least {:.2f} bits, as requested", *options.min_bits);
  const std::optional<double> threshold = model.threshold();
  if (!threshold) return "none: no row is flagged as an anomaly";
  const double contamination = model.options().contamination;
  const std::string how =
      contamination == Options::automatic_contamination
          ? "chosen from the distribution of the scores of the fit (contamination auto)"
          : fmt::format("chosen so that {} of the fitted rows are above it", values::share_words(contamination));
  return fmt::format("more than {:.2f} bits, {}", *threshold, how);
}

}  // namespace

std::string headline_of(const Listing& listing, std::size_t n_incidents) {
  const Findings& all = listing.all;
  const std::string rows = counted(all.n_rows, "row");
  if (!all.rule.limit()) return fmt::format("The highest scores of {}", rows);
  if (all.n_anomalies == 0) return fmt::format("No anomalies in {}", rows);
  return fmt::format("{} in {}, {}", counted(all.n_anomalies, "anomaly"), rows, counted(n_incidents, "incident"));
}

std::vector<std::pair<std::string, std::string>> summary_facts(const Model& model, const Scores& scores,
                                                               const ReportOptions& options) {
  std::vector<std::pair<std::string, std::string>> facts = options.facts;
  facts.emplace_back("Rows", count_words(scores.rows.n_rows()));
  if (!scores.windows.empty()) facts.emplace_back("Windows", count_words(scores.scored.n_rows()));
  facts.emplace_back("Columns", columns_in_words(model.schema()));
  facts.emplace_back("Threshold", threshold_in_words(model, options));
  facts.emplace_back("Trees", count_words(static_cast<std::uint64_t>(model.options().n_estimators)));
  facts.emplace_back("Seed", fmt::to_string(model.options().seed));
  facts.emplace_back("Options", options_in_words(model.options()));
  return facts;
}

std::vector<std::string> notes_of(const Listing& listing, const Model& model, const Scores& scores,
                                  std::size_t n_incidents) {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("Distributions cover all {}: nothing is sampled.",
                              counted(scores.scored.n_rows(), scores.windows.empty() ? "row" : "window")));
  if (model.has_reasons()) notes.emplace_back("The counts of reasons are of the rows that the model was fitted on.");
  if (!scores.windows.empty())
    notes.emplace_back("Scores are of windows of successive rows: reasons describe windows and count them.");
  const Findings& all = listing.all;
  const auto n_shown = std::ranges::count(listing.shown.rows, std::optional(true), &Finding::is_anomaly);
  if (static_cast<std::uint64_t>(n_shown) < all.n_anomalies)
    notes.push_back(
        fmt::format("{} of {} anomalies are listed: the highest scores, and the highest score of each incident.",
                    count_words(static_cast<std::uint64_t>(n_shown)), count_words(all.n_anomalies)));
  if (all.n_anomalies > most_in_incidents)
    notes.push_back(fmt::format("Incidents and column bits are of the {} anomalies with the highest scores.",
                                count_words(most_in_incidents)));
  if (n_incidents > most_incidents)
    notes.push_back(fmt::format("Incidents: {} in all, the first {} are listed.", count_words(n_incidents),
                                count_words(most_incidents)));
  if (model.schema().columns.size() > most_columns)
    notes.push_back(fmt::format("For each row, the {} columns with the most bits are shown.", most_columns));
  if (all.n_suppressed > 0)
    notes.push_back(
        fmt::format("{} suppressed by known reasons.",
                    all.n_suppressed == 1 ? "1 more row is" : count_words(all.n_suppressed) + " more rows are"));
  if (all.n_unscored > 0)
    notes.push_back(fmt::format("{} no score: not covered by any window of the series.",
                                all.n_unscored == 1 ? "1 row has" : count_words(all.n_unscored) + " rows have"));
  return notes;
}

ReportData::Scores scores_of(const Model& model, const Scores& scores, const ReportOptions& options) {
  constexpr std::size_t n_bars = 60;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double bits : scores.bits) {
    if (std::isnan(bits)) continue;
    low = std::min(low, bits);
    high = std::max(high, bits);
  }
  ReportData::Scores drawn{.axis = {.name = "score in bits"}, .threshold_words = threshold_in_words(model, options)};
  if (!(low <= high)) return drawn;
  const std::optional<double> threshold =
      AnomalyRule{.threshold = model.threshold(), .min_bits = options.min_bits}.limit();
  if (threshold) high = std::max(high, *threshold);
  const Scale scale(low, high);
  drawn.axis.ticks = ticks_of(scale);
  drawn.axis.bars.resize(n_bars);
  for (const double bits : scores.bits)
    if (!std::isnan(bits))
      ++drawn.axis.bars[std::min(static_cast<std::size_t>(scale.place_of(bits) * n_bars), n_bars - 1)];
  if (threshold) drawn.threshold = scale.place_of(*threshold);
  return drawn;
}

}  // namespace pidforest::report
