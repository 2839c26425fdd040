// SPDX-License-Identifier: Apache-2.0
// Prints cases for tests/sql/sql_test.py, one line of JSON each: a column, a condition on it as SQL, and the number of
// rows that satisfy it according to the library.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "explain/wording.h"
#include "schema/time_column.h"
#include "unit/explain/any_part.h"
#include "unit/explain/mixed_column.h"
#include "values/json.h"
#include "values/number_text.h"

namespace pidforest {
namespace {

std::string json_of(const Column& column, std::size_t row) {
  if (column.type != ColumnType::text) {
    const double number = column.number(row);
    if (std::isnan(number)) return "null";
    return std::isinf(number) ? "Infinity" : values::shortest_text(number);  // as Python reads it
  }
  const std::string_view text = column.text(row);
  return text.data() == nullptr ? "null" : values::quoted(std::string(text));
}

/// Microseconds in UTC; empty for columns that are not times.
std::vector<std::string> instants_of(const ColumnSchema& schema, const Table& table) {
  std::vector<std::string> instants;
  if (schema.kind != Kind::time) return instants;
  const schema::TimeReader reader(schema);
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    const std::int64_t utc = reader.utc(table.columns()[0], row);
    instants.push_back(utc == Column::missing_time ? "null" : fmt::to_string(utc));
  }
  return instants;
}

/// Returns an empty text if the dialect cannot express the condition.
std::string clause_of(const Condition& condition, const Schema& schema, SqlDialect dialect) {
  try {
    return values::quoted(to_sql(std::vector{condition}, schema, dialect));
  } catch (const InvalidOption&) {
    return "null";
  }
}

void print_case() {
  MixedColumn mixed = any_mixed_column(Finest::millisecond);
  const Table table = mixed.table.table();
  const Column& column = table.columns()[0];
  const Numbers values = schema::encoded(mixed.schema, table);
  mixed.schema.name = R"(the "x")";
  const schema::Encoder encoder(Schema{{mixed.schema}});
  const geometry::Part part = any_part(values, encoder.axes()[0]);
  const std::vector<std::size_t> order{0};
  const std::vector<geometry::Interval> root{{.low = 0, .high = 1}};
  const Condition condition = explain::condition_of(part, {encoder, order, root});
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < table.n_rows(); ++row) rows.push_back(json_of(column, row));
  fmt::print(R"({{"kind": "{}", "type": "{}", "rows": [{}], "utc": [{}], "standard": {}, "sqlite": {}, "count": {}}})",
             name_of(mixed.schema.kind), name_of(column.type), fmt::join(rows, ", "),
             fmt::join(instants_of(mixed.schema, table), ", "),
             clause_of(condition, encoder.schema(), SqlDialect::standard),
             clause_of(condition, encoder.schema(), SqlDialect::sqlite),
             std::ranges::count_if(values, [&](double value) { return part.holds(value); }));
  fmt::print("\n");
}

}  // namespace
}  // namespace pidforest

int main() {
  setenv("RC_PARAMS", "seed=2019 max_success=1500", 0);  // the same cases every time, unless the caller sets RC_PARAMS
  return rc::check([] { pidforest::print_case(); }) ? EXIT_SUCCESS : EXIT_FAILURE;
}
