// SPDX-License-Identifier: Apache-2.0
// What a database driver may return: Arrow streams of any types, values and contradictions. Choosing all columns
// changes nothing; integers as texts have the digits of the integers; every structure is released exactly once.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/any_arrow.h"
#include "in/column_stream.h"
#include "pidforest/arrow.h"
#include "pidforest/error.h"

namespace {

using pidforest::Column;
using pidforest::ColumnType;
using pidforest::cli::ArrowOwned;
using pidforest::cli::ColumnStream;

/// The values of each column as texts, or nullopt if they are refused.
using Values = std::optional<std::vector<std::vector<std::string>>>;

std::string shown(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return std::string(column.text(row));
  if (column.type == ColumnType::time) return fmt::format("{}", column.time(row));
  return std::isnan(column.number(row)) ? "" : fmt::format("{}", column.number(row));
}

Values values_of(ArrowArrayStream stream) {
  try {
    std::vector<std::vector<std::string>> columns;
    pidforest::for_each_batch(&stream, [&](const pidforest::ArrayTable& batch) {
      columns.resize(batch.header().n_columns());
      batch.for_each([&](const pidforest::Table& table) {
        for (std::size_t j = 0; j < columns.size(); ++j)
          for (std::size_t row = 0; row < table.n_rows(); ++row) columns[j].push_back(shown(table.columns()[j], row));
      });
    });
    return columns;
  } catch (const pidforest::InvalidInput&) {
    return std::nullopt;
  }
}

Values chosen_values(ArrowArrayStream stream, bool as_text) {
  try {
    ColumnStream columns{ArrowOwned<ArrowArrayStream>(stream)};
    std::vector<ColumnStream::Choice> choices;
    for (std::size_t j = 0; j < columns.names().size(); ++j) {
      (void)columns.refusal_of(j);
      choices.push_back({.column = j, .as_text = as_text});
    }
    return values_of(columns.chosen(choices));
  } catch (const pidforest::InvalidInput&) {
    return std::nullopt;
  }
}

/// A text of an integer is the number that the double is nearest to.
bool are_alike(const std::vector<std::vector<std::string>>& numbers,
               const std::vector<std::vector<std::string>>& texts) {
  for (std::size_t j = 0; j < numbers.size(); ++j)
    for (std::size_t row = 0; row < numbers[j].size(); ++row) {
      const std::string& number = numbers[j][row];
      const std::string& text = texts[j][row];
      if (number != text && std::strtod(number.c_str(), nullptr) != std::strtod(text.c_str(), nullptr)) return false;
    }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pidforest::fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
  const pidforest::MadeStream made = pidforest::fuzz::any_stream(choices);
  pidforest::Ledger ledger;
  const Values whole = values_of(give_stream(made, ledger));
  const Values chosen = chosen_values(give_stream(made, ledger), false);
  const Values texts = chosen_values(give_stream(made, ledger), true);
  if (chosen != whole) std::abort();
  if (whole.has_value() != texts.has_value() || (whole && !are_alike(*whole, *texts))) std::abort();
  if (ledger.n_given != ledger.n_released) std::abort();
  return 0;
}
