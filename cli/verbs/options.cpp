// SPDX-License-Identifier: Apache-2.0
// The verb `options`. Prints every option with its allowed values and its value in each preset.
#include "pidforest/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "out/output_file.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

using Row = std::vector<std::string>;

std::vector<Row> option_rows() {
  std::vector<Row> rows;
  for (const OptionSpec& spec : option_specs()) {
    Row row{std::string(spec.name), std::string(spec.symbol)};
    for (const std::string_view name : preset_names()) row.push_back(spec.text(preset(name)));
    row.push_back(spec.allowed());
    row.emplace_back(spec.help);
    rows.push_back(std::move(row));
  }
  return rows;
}

Row headings() {
  Row row{"option", "symbol"};
  for (const std::string_view name : preset_names()) row.emplace_back(name);
  row.insert(row.end(), {"allowed", "meaning"});
  return row;
}

std::string as_markdown(const std::vector<Row>& rows) {
  const auto line = [](const Row& row) { return fmt::format("| {} |\n", fmt::join(row, " | ")); };
  std::string text = line(headings()) + line(Row(headings().size(), "---"));
  for (const Row& row : rows) text += line(row);
  return text;
}

std::string as_text(std::vector<Row> rows) {
  rows.insert(rows.begin(), headings());
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace

void add_options(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("options", "Print every option with its allowed values and its value in each preset");
  const auto markdown = std::make_shared<bool>(false);
  verb->add_flag("--markdown", *markdown, "print a Markdown table");
  verb->footer("Example:\n  pidforest options --markdown");
  verb->callback([markdown] { write_stdout(*markdown ? as_markdown(option_rows()) : as_text(option_rows())); });
}

}  // namespace pidforest::cli
