// SPDX-License-Identifier: Apache-2.0
#include "in/training.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "flags/labels.h"
#include "in/row_choice.h"
#include "in/schema_file.h"
#include "in/without_columns.h"
#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/name_pattern.h"
#include "values/number_words.h"
#include "values/read_text.h"

namespace pidforest::cli {

namespace {

/// The schema that was given, without the columns that are no features.
std::optional<Schema> given_schema(const TrainingFlags& flags, const Run& run) {
  if (flags.schema_file.empty()) return std::nullopt;
  std::vector<std::string> no_features = flags.ignore;
  no_features.push_back(flags.label);
  return without_columns(read_schema(flags.schema_file, run), no_features);
}

/// The columns of --where that are read for it only.
std::vector<std::string> only_for_where(const TrainingFlags& flags) {
  std::vector<std::string> names = columns_of_where(flags.table.where);
  std::erase_if(names, [&](const std::string& name) {
    const bool is_chosen = flags.columns.empty() || values::matches_any(flags.columns, name);
    return is_chosen && !values::matches_any(flags.ignore, name);
  });
  return names;
}

/// A label that was forgotten would be a feature, and its rows would be found for it.
void warn_of_label(const TrainingFlags& flags, const Schema& schema, Work& work) {
  for (const std::string_view name : {"label", "is_anomaly", "outlier", "anomaly"})
    if (!flags.has_label() && std::ranges::find(schema.columns, name, &ColumnSchema::name) != schema.columns.end())
      work.say(fmt::format("{0} is used as a feature; if it marks known anomalies, use --label {0}", name));
}

/// Without a usable column every row has 0 bits. A header of one long name was likely cut at the wrong character.
void warn_of_no_columns(const Schema& schema, const std::string& delimiter, Work& work) {
  if (schema.columns.empty()) return;
  const std::string& first = schema.columns[0].name;
  const bool is_uncut = schema.columns.size() == 1 && first.find_first_of(",;\t| ") != std::string::npos;
  std::vector<std::string> parts;
  if (n_used(schema) == 0) parts.emplace_back("no column is usable, so every row has 0 bits");
  if (is_uncut)
    parts.push_back(fmt::format("the only column is '{}': check --delimiter {}", values::excerpt(first), delimiter));
  if (!parts.empty()) work.say(fmt::format("{}", fmt::join(parts, "; ")));
}

/// A first row of data that was taken for the header is lost, and its numbers are names that nobody knows.
void warn_of_header(const TrainingFlags& flags, const Schema& schema, Work& work) {
  if (flags.table.is_query() || flags.table.is_parquet() || schema.columns.empty()) return;
  const auto is_number = [](const ColumnSchema& column) {
    return values::read_number(column.name).form == values::NumberReading::Form::number;
  };
  if (std::ranges::all_of(schema.columns, is_number))
    work.say("the names of all columns are numbers; if the first row is data, use --no-header");
}

/// What the columns are taken for, and which of them are not used.
void describe_columns(const TrainingFlags& flags, const Schema& schema, const TableNotes& notes, Work& work) {
  if (flags.schema_file.empty())
    for (const std::string& note : notes_of(schema, flags.table.shown())) work.say(note);
  if (flags.schema_file.empty()) warn_of_label(flags, schema, work);
  if (flags.schema_file.empty()) warn_of_header(flags, schema, work);
  warn_of_no_columns(schema, flags.table.delimiter, work);
  if (!notes.not_in_schema.empty())
    work.say(fmt::format("columns not used, as they are not in the schema: {}", list_of(notes.not_in_schema)));
}

/// What was done to put samples in order, so that nobody takes it for the order of the file.
void describe_order(const SampleOrder& order, const SeriesFlags& flags, Work& work) {
  std::vector<std::string> parts;
  if (order.n_late > 0)
    parts.push_back(fmt::format("{} earlier than a row before: sorted by {}", values::counted(order.n_late, "row"),
                                values::excerpt(flags.time)));
  if (order.n_set_back > 0)
    parts.push_back(fmt::format("the clock goes back in {}, where a new segment begins",
                                values::counted(order.n_set_back, "place")));
  if (order.n_repeated > 0)
    parts.push_back(fmt::format("{} with the time of the row before{}", values::counted(order.n_repeated, "row"),
                                flags.by.empty() ? " (if there are several series, name their key with --by)" : ""));
  if (!parts.empty()) work.say(fmt::format("{}", fmt::join(parts, "; ")));
}

/// The columns of the rows or samples that a model's rows with context, or windows, are made of.
Schema samples_of(const Schema& windows) {
  if (is_context(*windows.windows)) {
    Schema rows{.format = windows.format};
    for (const ColumnSchema& column : windows.columns)
      if (column.kind == Kind::ignored || column.views.front() == "rows") rows.columns.push_back(column);
    return rows;
  }
  Schema samples{.columns = windows.windows->metrics, .format = windows.format};
  if (!windows.windows->time.name.empty()) samples.columns.push_back(windows.windows->time);
  return samples;
}

Series series_of(const Batches& samples, const SeriesFlags& flags, const Schema& declared, Work& work) {
  if (flags.fitted) {
    Series series = Series::as_fitted(samples, *flags.fitted);
    describe_order(series.order(), flags, work);
    return series;
  }
  SeriesOptions options = flags.options();
  if (flags.is_window_open()) {
    const SuggestedWindow suggested = suggest_window(samples, options, declared);
    options.window = suggested.window;
    work.say(
        suggested.is_period
            ? fmt::format("using window {}, the period of the samples", suggested.window)
            : fmt::format("using window {}, as the samples have no period; --window W sets another", suggested.window));
  }
  Series series(samples, options, declared);
  describe_order(series.order(), flags, work);
  return series;
}

}  // namespace

ColumnSelection selection_of(const TrainingFlags& flags, const Schema* schema, const std::string& id) {
  ColumnSelection selection{.ignore = flags.ignore, .only = flags.columns, .schema = schema};
  if (!id.empty()) selection.as_text.push_back(id);
  if (flags.has_label()) selection.besides_schema.push_back(flags.label);
  for (const std::string& name : flags.series.columns()) selection.besides_schema.push_back(name);
  if (flags.series.is_derived() && !flags.series.by.empty()) selection.as_text.push_back(flags.series.by);
  if (schema != nullptr) return selection;  // the conditions have its columns
  for (const std::string& name : columns_of_where(flags.table.where)) {
    std::erase(selection.ignore, name);
    selection.besides_schema.push_back(name);
  }
  return selection;
}

std::vector<std::string> no_features_of(const TrainingFlags& flags, const std::string& id) {
  std::vector<std::string> names = only_for_where(flags);
  names.push_back(id);
  names.push_back(flags.label);
  const std::vector<std::string> needed =
      flags.series.is_derived() ? flags.series.columns() : std::vector<std::string>{};
  std::erase_if(names, [&](const std::string& name) { return std::ranges::find(needed, name) != needed.end(); });
  return names;
}

void TrainingFlags::check() const {
  (void)options.options();
  table.check();
  series.check();
  if (!has_label() && !anomaly_label.empty())
    throw InvalidOption("--anomaly-label requires --label, the column of the labels.");
  if (has_label() && std::ranges::find(ignore, label) != ignore.end())
    throw InvalidOption(fmt::format("--label and --ignore must name different columns; both name '{}'.", label));
  if (!columns.empty() && !schema_file.empty())
    throw InvalidOption("--columns and --schema cannot be combined: the schema names the columns to read.");
}

std::vector<NamedFile> TrainingFlags::inputs() const {
  return {table.input(), {"--schema", schema_file}, {"--config", table.config}};
}

std::vector<NamedFile> ModelVerbFlags::inputs_with(std::string_view flag, const std::string& file) const {
  // A model is never read from standard input: "-" is a file of that name.
  return {{"MODEL", model_file == "-" ? "./-" : model_file},
          input.table.input(),
          {flag, file},
          {"--config", input.table.config}};
}

void ModelVerbFlags::check(bool is_db_used) const { input.table.check(is_db_used); }

void ModelVerbFlags::take(const Schema& fitted) {
  input.table.take(fitted.format);
  input.series.take(fitted.windows);
  input.series.check();
  input.series.check_ignored(input.ignore);
}

void add_model_verb_flags(CLI::App& verb, ModelVerbFlags& flags) {
  add_model_argument(verb, flags.model_file);
  add_table_flags(verb, flags.input.table);
}

void add_schema_flag(CLI::App& verb, std::string& file) {
  verb.add_option("--schema", file, "JSON file that declares the columns (see `pidforest schema`); inferred by default")
      ->type_name("FILE");
}

void add_training_flags(CLI::App& verb, TrainingFlags& flags) {
  add_table_flags(verb, flags.table);
  add_choice_flags(verb, flags);
  add_schema_flag(verb, flags.schema_file);
  verb.add_option(
          "--label", flags.label,
          "column of known labels: 0 or 1, no or yes, false or true; never used as a feature; detect prints AUC and "
          "average precision")
      ->type_name("COL");
  verb.add_option("--anomaly-label", flags.anomaly_label, "word in the column of labels that marks an anomaly")
      ->type_name("WORD");
  add_run_flags(verb, flags.run);
  add_option_flags(verb, flags.options);
}

void add_choice_flags(CLI::App& verb, TrainingFlags& flags) {
  add_ignore_flag(verb, flags.ignore);
  verb.add_option("--columns", flags.columns,
                  "columns to read, if not all; names, or patterns in which * stands for any characters and ? for one")
      ->type_name("COL[,COL]")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--sample", flags.sample, "a quick look: only N rows, chosen by --seed from all that are read")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
}

Training read_training(const TrainingFlags& flags, const std::string& id, Work& work, const Schema* known) {
  const std::optional<Schema> given = flags.series.fitted ? samples_of(*known)
                                      : known             ? *known
                                                          : given_schema(flags, work.run());
  TableFlags source = flags.table;
  if (given) source.take(given->format);
  Training training;
  const SampleFlags sample{.n_rows = flags.sample, .seed = static_cast<std::uint64_t>(flags.options.options().seed)};
  ReadTable table =
      read_table(source, selection_of(flags, given ? &*given : nullptr, id), work, sample, [&](const Table& batch) {
        if (!id.empty()) (void)column_of(batch, id, "--id");
        if (flags.has_label()) (void)column_of(batch, flags.label, "--label");
      });
  training.rows = std::make_unique<TableStore>(std::move(table.rows));
  training.numbers = std::move(table.numbers);
  LabelReader labels(flags.anomaly_label);
  if (flags.has_label())
    naming_file(source, [&] {
      training.rows->for_each([&](const Table& batch) {
        labels.append(column_of(batch, flags.label, "--label"), batch.n_rows(), training.labels);
      });
    });
  training.declared = given ? *given : without_columns(std::move(table.notes.declared), no_features_of(flags, id));
  const WithoutColumns features(*training.rows, no_features_of(flags, id));
  naming_file(source, [&] {
    if (training.rows->n_rows() == 0) throw InvalidInput("the table has no rows; fitting requires at least one.");
    if (flags.series.is_series()) {
      training.series.emplace(series_of(features, flags.series, training.declared, work));
      training.schema = flags.series.fitted ? *known : infer_schema(*training.series, training.series->declared());
    } else if (flags.series.fitted) {
      training.context = std::make_unique<Context>(*training.rows, *known);
      training.schema = *known;
    } else {
      training.schema = given ? *given : infer_schema(features, training.declared);
    }
    if (flags.series.context && !training.context) {
      training.context = std::make_unique<Context>(*training.rows, training.schema, flags.series.context_options());
      training.schema = training.context->schema();
    }
    if (training.context) describe_order(training.context->order(), flags.series, work);
  });
  training.schema.format = source.written_format();
  if (!known) describe_columns(flags, training.schema, table.notes, work);
  return training;
}

Scores score_rows(const Training& training, WindowAlignment align, const Model& model, const KnownReasons& known,
                  Work& work) {
  Scores scores = score_table(model, training.fitted(), known, work.run());
  if (!training.series) return scores;
  return score_samples(scores, *training.rows, training.series->shingles_of_samples(align, scores.bits));
}

std::vector<std::string> ids_of(const Batches& rows, const std::string& id, const std::vector<Finding>& found) {
  std::vector<std::uint64_t> numbers;
  for (const Finding& finding : found) numbers.push_back(finding.row);
  std::ranges::sort(numbers);
  std::vector<std::string> in_order;
  rows_at(rows, numbers).for_each([&](const Table& batch) {
    const Column& column = column_of(batch, id, "--id");
    for (std::size_t i = 0; i < batch.n_rows(); ++i) in_order.push_back(text_of(column, i));
  });
  std::vector<std::string> ids;
  for (const Finding& finding : found)
    ids.push_back(in_order[static_cast<std::size_t>(std::ranges::lower_bound(numbers, finding.row) - numbers.begin())]);
  return ids;
}

std::string summary_of(const Training& training, const Options& options) {
  const std::string rows = training.series ? fmt::format("{}, {}", values::counted(training.rows->n_rows(), "sample"),
                                                         values::counted(training.series->n_rows(), "window"))
                                           : values::counted(training.rows->n_rows(), "row");
  return fmt::format("{}, {}, {}, seed {}", rows, values::counted(n_used(training.schema), "column"),
                     values::counted(static_cast<std::uint64_t>(options.n_estimators), "tree"), options.seed);
}

}  // namespace pidforest::cli
