// SPDX-License-Identifier: Apache-2.0
#include "flags/series_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <utility>

#include "flags/option_flags.h"
#include "flags/span.h"
#include "pidforest/error.h"
#include "values/span_words.h"

namespace pidforest::cli {

namespace {

constexpr std::size_t longest_window = 1'000'000;

std::size_t parse_window(const std::string& text) {
  std::size_t window = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, window);
  if (error != std::errc() || rest != end || window < 1 || window > longest_window)
    throw InvalidOption(fmt::format("--window must be auto or a whole number of samples between 1 and {}; got {}.",
                                    longest_window, text));
  return window;
}

}  // namespace

std::vector<std::string> SeriesFlags::columns() const {
  std::vector<std::string> names;
  for (const std::string& name : {time, by})
    if (!name.empty()) names.push_back(name);
  return names;
}

void SeriesFlags::check() const {
  if (context && is_series())
    throw InvalidOption("--context and --window cannot be combined: the context of a window is in its views.");
  for (const auto& [flag, value] : {std::pair("--time", &time), {"--by", &by}, {"--max-gap", &max_gap}})
    if (!is_derived() && !value->empty() && !(are_rows_in_time && value != &max_gap))
      throw InvalidOption(fmt::format("{} requires --window or --context: it applies to time series only.", flag));
  if (!by.empty() && by == time)
    throw InvalidOption(fmt::format("--time and --by must name different columns; both name '{}'.", by));
  if (!is_derived() && !by.empty() && time.empty())
    throw InvalidOption("--by requires --time, the column that orders the rows.");
  if (!is_series() && !align.empty()) throw InvalidOption("--align requires --window: it applies to time series only.");
  const std::string_view flag = calendar ? "--calendar" : !means.empty() ? "--means" : !views.empty() ? "--views" : "";
  if (!is_series() && !flag.empty())
    throw InvalidOption(fmt::format("{} requires --window: it applies to time series only.", flag));
  if (context) return validate(context_options());
  if (!is_series()) return;
  (void)options();
  (void)alignment();
  if (calendar && time.empty()) throw InvalidOption("--calendar requires --time, the column of the hour and weekday.");
  if (!max_gap.empty() && time.empty())
    throw InvalidOption("--max-gap requires --time, the column that shows the gaps.");
}

void SeriesFlags::check_ignored(const std::vector<std::string>& ignored) const {
  if (!ignored.empty() && !is_derived())
    throw InvalidOption(
        "--ignore requires --window: it applies to time series only. Without --window the model decides which columns "
        "are "
        "read.");
}

SeriesOptions SeriesFlags::options() const {
  SeriesOptions options{.time = time, .by = by, .means = means, .calendar = calendar};
  if (!is_window_open()) options.window = parse_window(window);
  if (!views.empty()) options.views = series_views(views);
  if (!max_gap.empty()) options.max_gap = parse_span("--max-gap", max_gap);
  return options;
}

ContextOptions SeriesFlags::context_options() const {
  if (context && time.empty()) throw InvalidOption("--context requires --time, the column that orders the rows.");
  ContextOptions options{.time = time, .by = by};
  if (!max_gap.empty()) options.max_gap = parse_span("--max-gap", max_gap);
  return options;
}

void SeriesFlags::take(const std::optional<WindowRecipe>& recipe) {
  if (!recipe) return;
  const auto check = [](std::string_view flag, bool is_given, bool is_same, const std::string& at_fit) {
    if (is_given && !is_same)
      throw InvalidOption(fmt::format("{} must be as at the fit of the model, {}, or be left out.", flag,
                                      at_fit.empty() ? "where it was not given" : at_fit));
  };
  const auto joined = [](const auto& items) { return fmt::format("{}", fmt::join(items, ",")); };
  const bool is_number = is_series() && !is_window_open();
  const bool has_context = is_context(*recipe);
  check("--context", context, has_context, "");
  check("--window", is_series() && has_context, false, "");
  check("--window", is_series(), is_number && parse_window(window) == recipe->window, fmt::to_string(recipe->window));
  check("--time", !time.empty(), time == recipe->time.name, recipe->time.name);
  check("--by", !by.empty(), by == recipe->by, recipe->by);
  check("--max-gap", !max_gap.empty(), max_gap.empty() || recipe->max_gap == parse_span("--max-gap", max_gap),
        recipe->max_gap ? values::span_words(*recipe->max_gap) : "");
  check("--means", !means.empty(), means == recipe->means, joined(recipe->means));
  check("--calendar", calendar, recipe->calendar, "");
  check("--views", !views.empty(), views == joined(recipe->views), joined(recipe->views));
  context = has_context;
  if (!context) window = fmt::to_string(recipe->window);
  time = recipe->time.name;
  by = recipe->by;
  fitted = recipe;
}

WindowAlignment SeriesFlags::alignment() const {
  if (align == "start") return WindowAlignment::start;
  if (align == "end" || align.empty()) return WindowAlignment::end;
  if (align == "max") return WindowAlignment::max;
  throw InvalidOption(fmt::format("--align must be one of start, end, max; got {}.", align));
}

void add_series_flags(CLI::App& verb, SeriesFlags& flags) {
  constexpr const char* group = "Time series";
  verb.add_option(
          "--window", flags.window,
          "treat the file as a time series and score windows of W successive samples; auto is their period, or 10 if "
          "they have none")
      ->type_name("W|auto")
      ->group(group);
  verb.add_option("--time", flags.time,
                  "time column, by which rows are sorted and lags are named, and which shows gaps")
      ->type_name("COL")
      ->group(group);
  verb.add_option("--by", flags.by, "series key: a column with one value per series")->type_name("COL")->group(group);
  verb.add_option("--max-gap", flags.max_gap, "longest time step allowed inside a window, such as 10min")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option(
          "--align", flags.align,
          "which window scores a sample: the one that starts there, the one that ends there, or the one with the "
          "highest score of all that contain it; default end")
      ->type_name("start|end|max")
      ->group(group);
  verb.add_option("--means", flags.means, "add the means of the metrics over the last N samples of each window")
      ->type_name("N[,N]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(2, static_cast<std::int64_t>(longest_window)))
      ->group(group);
  verb.add_option(
          "--views", flags.views,
          "what the trees look at, in turns: lags, changes, scales (means and deviations), residual (the lags and "
          "scales of what the season does not explain); default residual")
      ->type_name("VIEW[,VIEW]")
      ->group(group);
  verb.add_flag("--context", flags.context,
                "without --window: add the rises of numbers over the last rows of the series, and their means and "
                "deviations")
      ->group(group);
  verb.add_flag("--calendar", flags.calendar, "add the hour and weekday of each window's last sample")->group(group);
}

}  // namespace pidforest::cli
