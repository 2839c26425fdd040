// SPDX-License-Identifier: Apache-2.0
// What the verbs that read a table share: the flags that say how to read it, and the table read by them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "flags/series_flags.h"
#include "in/table_input.h"
#include "out/work.h"
#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"

namespace pidforest::cli {

struct TrainingFlags {
  TableFlags table;
  std::string schema_file;
  std::vector<std::string> ignore;
  /// The columns that are read, if not all; names or patterns.
  std::vector<std::string> columns;
  /// How many rows are read, if not all.
  std::optional<std::size_t> sample;
  std::string label;
  /// The word that marks an anomaly; empty for the usual ones.
  std::string anomaly_label;
  SeriesFlags series;
  OptionFlags options;
  RunFlags run;

  [[nodiscard]] bool has_label() const { return !label.empty(); }
  [[nodiscard]] std::vector<NamedFile> inputs() const;
  /// Complains of what can be told before a large file is read. Throws InvalidOption.
  void check() const;
};

/// Adds --ignore, --columns and --sample to a verb; `flags` must live as long as it does.
void add_choice_flags(CLI::App& verb, TrainingFlags& flags);

/// What these flags, and those for the label, the row identifier `id` and series, say of the columns to read. `schema`,
/// if there is one, must live as long as the result.
ColumnSelection selection_of(const TrainingFlags& flags, const Schema* schema, const std::string& id = "");

/// The columns that are read but are no features: the label and the row identifier, unless they make a series of the
/// rows, and those that are read for --where only.
std::vector<std::string> no_features_of(const TrainingFlags& flags, const std::string& id);

/// Adds --schema to a verb; `file` must live as long as it does.
void add_schema_flag(CLI::App& verb, std::string& file);

/// Adds all of them to a verb; `flags` must live as long as it does.
void add_training_flags(CLI::App& verb, TrainingFlags& flags);

/// The flags of the verbs that read a model and a table: `explain`, `report` and `score`.
struct ModelVerbFlags {
  std::string model_file;
  /// How to read the table; without options and a schema file, as nothing is fitted.
  TrainingFlags input;
  std::optional<double> min_bits;

  /// The model and the table, and the file that `flag` names.
  [[nodiscard]] std::vector<NamedFile> inputs_with(std::string_view flag, const std::string& file) const;
  /// Complains of what can be told before a large file is read. Throws InvalidOption.
  void check(bool is_db_used = false) const;
  /// Takes what the model knows of how its table was written and of how its windows were made, where no flag says
  /// otherwise. Throws InvalidOption for flags that contradict it or each other.
  void take(const Schema& fitted);
};

/// Adds MODEL and the flags of the table to a verb; `flags` must live as long as it does.
void add_model_verb_flags(CLI::App& verb, ModelVerbFlags& flags);

struct Training {
  /// All columns that were read, also those that are no features: the label and the row identifier.
  std::unique_ptr<TableStore> rows;
  /// Their numbers in the file.
  RowNumbers numbers;
  /// The windows of the rows, if they are samples of a series.
  std::optional<Series> series;
  /// The rows with their context, if the flags ask for it. Views the rows.
  std::unique_ptr<Context> context;
  /// What was given of the columns that were read.
  Schema declared;
  /// The features, of windows if there are any.
  Schema schema;
  /// One per row, if the flags name a label column.
  std::vector<bool> labels;

  /// What a model is fitted on.
  [[nodiscard]] const Batches& fitted() const {
    if (context) return *context;
    return series ? static_cast<const Batches&>(*series) : *rows;
  }
};

/// Reads the table and says what its columns are taken for; with the schema of a model those are known. The column
/// `id`, if it is not empty, is no feature unless a schema that was given names it. Throws InvalidInput, FileError or
/// Cancelled.
Training read_training(const TrainingFlags& flags, const std::string& id, Work& work, const Schema* known = nullptr);

/// Scores the rows: by themselves, or where they are samples of a series by their windows.
Scores score_rows(const Training& training, WindowAlignment align, const Model& model, const KnownReasons& known,
                  Work& work);

/// What --id calls each row, as text.
std::vector<std::string> ids_of(const Batches& rows, const std::string& id, const std::vector<Finding>& found);

/// "4032 rows, 10 columns, 100 trees, seed 0"; of a series "4032 samples, 4023 windows, ..."
std::string summary_of(const Training& training, const Options& options);

}  // namespace pidforest::cli
