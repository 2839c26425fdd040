// SPDX-License-Identifier: Apache-2.0
// The verb `schema`: what the columns of a file seem to be, as a document to edit.
#include "pidforest/schema.h"

#include <memory>
#include <string>
#include <vector>

#include "input_file.h"
#include "interrupt.h"
#include "option_flags.h"
#include "output_file.h"
#include "read_table.h"
#include "verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  std::string file;
  std::vector<std::string> ignore;
};

void print_schema(const Request& request) {
  const Run run{.cancel = &interrupt_flag()};
  const std::string text = read_file(request.file, run);
  const OwnedTable read = read_table(TableReader(bytes_of(text), {}, {.ignore = request.ignore}, run));
  write_stdout(to_json(infer_schema(read.table())));
}

}  // namespace

void add_schema(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("schema", "Print what the columns of a CSV file seem to be, to edit and to give");
  const auto request = std::make_shared<Request>();
  add_table_flags(*verb, request->file, request->ignore);
  verb->footer(
      "Save it, correct it, and give it to detect:\n"
      "  pidforest schema orders.csv > orders.schema.json\n"
      "  pidforest detect orders.csv --schema orders.schema.json\n\n"
      "Example:\n  pidforest schema examples/orders.csv --ignore fraud");
  verb->callback([request] { print_schema(*request); });
}

}  // namespace pidforest::cli
