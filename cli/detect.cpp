// SPDX-License-Identifier: Apache-2.0
// The verb `detect`: fit a forest on a file, score its rows, print the rarest.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "detect_output.h"
#include "input_file.h"
#include "interrupt.h"
#include "option_flags.h"
#include "output_file.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "pidforest/schema.h"
#include "printable.h"
#include "progress_line.h"
#include "read_table.h"
#include "schema_file.h"
#include "verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  std::string file;
  std::string schema_file;
  std::string label;
  std::vector<std::string> ignore;
  OptionFlags flags;
  unsigned threads = 0;
  std::size_t top = 10;
  bool json = false;
  bool quiet = false;

  [[nodiscard]] bool has_label() const { return !label.empty(); }
};

void check(const Request& request) {
  if (request.has_label() &&
      std::find(request.ignore.begin(), request.ignore.end(), request.label) != request.ignore.end())
    throw InvalidOption(
        fmt::format("--label and --ignore must name different columns; both name '{}'.", request.label));
  if (request.file == "-" && request.schema_file == "-")
    throw InvalidOption("FILE and --schema must not both be the standard input; save one of them to a file.");
}

/// Words for people; silent with --quiet.
void say(const Request& request, const std::string& words) {
  if (!request.quiet) std::fputs((printable(words) + "\n").c_str(), stderr);
}

const OwnedColumn& label_column(const OwnedTable& read, const std::string& label) {
  std::vector<std::string_view> names;
  for (const OwnedColumn& column : read.columns) {
    if (column.name == label) return column;
    names.push_back(column.name);
  }
  throw InvalidInput(fmt::format("the label column must be in the header row; got '{}'. The header has {}.", label,
                                 fmt::join(names, ", ")));
}

[[noreturn]] void refuse_label(const OwnedColumn& column, std::size_t row) {
  const std::string got =
      column.type == ColumnType::text ? fmt::format("'{}'", column.texts[row]) : fmt::format("{}", column.numbers[row]);
  throw InvalidInput(fmt::format("row {}, column '{}': a label must be 0 or 1; got {}.", row + 1, column.name, got));
}

std::vector<bool> read_labels(const OwnedColumn& column, std::size_t n_rows) {
  const auto is = [&](std::size_t row, double number, std::string_view text) {
    return column.type == ColumnType::text ? column.texts[row] == text : column.numbers[row] == number;
  };
  std::vector<bool> labels;
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (!is(row, 0, "0") && !is(row, 1, "1")) refuse_label(column, row);
    labels.push_back(is(row, 1, "1"));
  }
  return labels;
}

Table without_column(const Table& table, const std::string& name) {
  std::vector<Column> columns = table.columns();
  std::erase_if(columns, [&](const Column& column) { return column.name == name; });
  return {table.n_rows(), std::move(columns)};
}

/// The rows with the highest scores, the highest first; of equal ones the first in the file.
std::vector<std::size_t> top_rows(const std::vector<double>& scores, std::size_t n) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(n, order.size()));
  std::partial_sort(order.begin(), last, order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  order.erase(last, order.end());
  return order;
}

/// The schema that was given, without the columns that are no features.
std::optional<Schema> given_schema(const Request& request, const Run& run) {
  if (request.schema_file.empty()) return std::nullopt;
  std::vector<std::string> no_features = request.ignore;
  no_features.push_back(request.label);
  return without_columns(read_schema(request.schema_file, run), no_features);
}

ColumnSelection selection_of(const Request& request, const std::optional<Schema>& schema) {
  ColumnSelection selection{.ignore = request.ignore, .schema = schema ? &*schema : nullptr};
  if (request.has_label()) selection.besides_schema.push_back(request.label);
  return selection;
}

/// The rows of a file and what its columns mean.
struct Input {
  OwnedTable columns;
  /// Without the label.
  Table features;
  Schema schema;
  std::optional<std::vector<bool>> labels;
};

Input read_input(const Request& request, std::string_view text, const std::optional<Schema>& given, const Run& run) {
  OwnedTable columns = read_table(TableReader(bytes_of(text), {}, selection_of(request, given), run));
  std::optional<std::vector<bool>> labels;
  if (request.has_label()) labels = read_labels(label_column(columns, request.label), columns.n_rows);
  Table features = without_column(columns.table(), request.label);
  Schema schema = given ? *given : infer_schema(features);
  return {std::move(columns), std::move(features), std::move(schema), std::move(labels)};
}

Detection find_anomalies(const Request& request, const Input& input, const Run& run) {
  const Options options = request.flags.options();
  const Model model = Model::fit(input.features, input.schema, options, run);
  Detection found{.preset = request.flags.preset,
                  .options = options,
                  .table = input.features,
                  .n_features = n_used(input.schema),
                  .bits = model.score(input.features, run),
                  .threshold = model.threshold(),
                  .top = {},
                  .labels = input.labels,
                  .quality = {}};
  found.top = top_rows(found.bits, request.top);
  if (found.labels) found.quality = ranking_quality(found.bits, *found.labels);
  return found;
}

/// "1 row", "2 rows".
template <class Number>
std::string counted(Number n, std::string_view thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

void describe(const Request& request, const Detection& found) {
  say(request,
      fmt::format("{}, {}, {}, seed {}", counted(found.table.n_rows(), "row"), counted(found.n_features, "column"),
                  counted(found.options.n_estimators, "tree"), found.options.seed));
  if (found.threshold)
    say(request, fmt::format("{} with more than {:.2f} bits: anomalies",
                             counted(std::count_if(found.bits.begin(), found.bits.end(),
                                                   [&](double b) { return b > *found.threshold; }),
                                     "row"),
                             *found.threshold));
  if (found.labels && !found.quality)
    say(request,
        fmt::format("column '{}' has only one kind of label, so there is no AUC or average precision", request.label));
}

std::size_t line_width() {
  constexpr std::size_t when_not_a_terminal = 100;
  winsize size = {};
  const bool is_known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : when_not_a_terminal;
}

/// What the columns are taken for, and which of them are not used.
void describe_columns(const Request& request, const Input& input) {
  const bool is_inferred = request.schema_file.empty();
  if (is_inferred)
    for (const std::string& note : notes_of(input.schema, request.file)) say(request, note);
  if (!input.columns.not_in_schema.empty())
    say(request, fmt::format("not in the schema, so not used: {}", list_of(input.columns.not_in_schema)));
}

void detect(const Request& request) {
  check(request);
  (void)request.flags.options();  // complain of options before reading a large file
  const std::atomic<bool>& interrupted = interrupt_flag();
  std::optional<ProgressLine> progress(request.quiet);
  const Run run{
      .threads = request.threads, .cancel = &interrupted, .on_progress = [&](const Progress& p) { progress->show(p); }};
  const std::optional<Schema> given = given_schema(request, run);
  const std::string text = read_file(request.file, run);
  const Input input = read_input(request, text, given, run);
  const Detection found = find_anomalies(request, input, run);
  progress.reset();
  if (interrupted) throw Cancelled();
  describe_columns(request, input);
  describe(request, found);
  write_stdout(request.json ? as_json(found) : as_table(found, line_width()));
}

void add_own_flags(CLI::App& verb, Request& request) {
  add_table_flags(verb, request.file, request.ignore);
  verb.add_option("--schema", request.schema_file,
                  "a JSON file that says what the columns are (see `pidforest schema`); inferred without it")
      ->type_name("FILE");
  verb.add_option("--label", request.label,
                  "a column of 0 and 1 (1 = anomaly), never a feature; prints AUC and average precision")
      ->type_name("COL");
  verb.add_option("--top", request.top, "how many rows to print; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  verb.add_option("--threads", request.threads,
                  "number of threads, which changes no result; 0 is one per processor; default 0")
      ->type_name("N")
      ->check(whole_number(0, 1024));
  verb.add_flag("--json", request.json, "print one JSON document");
  verb.add_flag("--quiet", request.quiet, "say nothing but results and errors");
}

}  // namespace

void add_detect(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("detect", "Find the rows of a CSV file that are rare");
  const auto request = std::make_shared<Request>();
  add_own_flags(*verb, *request);
  add_option_flags(*verb, request->flags);
  verb->footer("Example:\n  pidforest detect examples/fleet.csv --label fault --top 5");
  verb->callback([request] { detect(*request); });
}

}  // namespace pidforest::cli
