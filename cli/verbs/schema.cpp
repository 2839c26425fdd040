// SPDX-License-Identifier: Apache-2.0
// The verb `schema`. Prints the inferred meaning of the columns of a file, as a document to edit.
#include "pidforest/schema.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "in/schema_file.h"
#include "in/training.h"
#include "in/without_columns.h"
#include "out/output_file.h"
#include "pidforest/table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

/// How to read the table; without options, a label and a schema file.
using Request = TrainingFlags;

void print_schema(const Request& request) {
  request.check();
  Work work(request.run);
  const ReadTable table = read_table(request.table, selection_of(request, nullptr), work, {.n_rows = request.sample});
  const std::vector<std::string> no_features = no_features_of(request, "");
  Schema schema =
      infer_schema(WithoutColumns(table.rows, no_features), without_columns(table.notes.declared, no_features));
  schema.format = request.table.written_format();
  work.end_progress();
  write_stdout(to_json(schema));
}

}  // namespace

void add_schema(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("schema", "Infer the schema of a file and print it for editing");
  const auto request = std::make_shared<Request>();
  add_table_flags(*verb, request->table);
  add_choice_flags(*verb, *request);
  add_run_flags(*verb, request->run);
  verb->footer(
      "Save the schema, correct it, and pass it to detect:\n"
      "  pidforest schema orders.csv > orders.schema.json\n"
      "  pidforest detect orders.csv --schema orders.schema.json\n\n"
      "Example:\n  pidforest schema examples/orders.csv --ignore fraud");
  verb->callback([request] { print_schema(*request); });
}

}  // namespace pidforest::cli
