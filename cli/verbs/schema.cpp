// SPDX-License-Identifier: Apache-2.0
// The verb `schema`. Prints the inferred meaning of the columns of a file, as a document to edit.
#include "pidforest/schema.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flags/option_flags.h"
#include "in/table_input.h"
#include "out/output_file.h"
#include "out/work.h"
#include "pidforest/table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  TableFlags table;
  std::vector<std::string> ignore;
  RunFlags run;
};

void print_schema(const Request& request) {
  request.table.check();
  Work work(request.run);
  const ReadTable table = read_table(request.table, {.ignore = request.ignore}, work);
  Schema schema = infer_schema(table.rows, table.notes.declared);
  schema.format = request.table.written_format();
  work.end_progress();
  write_stdout(to_json(schema));
}

}  // namespace

void add_schema(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("schema", "Infer the schema of a file and print it for editing");
  const auto request = std::make_shared<Request>();
  add_table_flags(*verb, request->table);
  add_ignore_flag(*verb, request->ignore);
  add_run_flags(*verb, request->run);
  verb->footer(
      "Save the schema, correct it, and pass it to detect:\n"
      "  pidforest schema orders.csv > orders.schema.json\n"
      "  pidforest detect orders.csv --schema orders.schema.json\n\n"
      "Example:\n  pidforest schema examples/orders.csv --ignore fraud");
  verb->callback([request] { print_schema(*request); });
}

}  // namespace pidforest::cli
