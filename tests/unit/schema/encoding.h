// SPDX-License-Identifier: Apache-2.0
// Encodes one column by its schema; error messages of encoding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "schema/encode.h"
#include "schema/table_facts.h"
#include "unit/table/column_table.h"
#include "unit/values/clock.h"

namespace pidforest::schema {

using Kinds = geometry::AxisKind;
using Parents = std::vector<std::pair<std::string, std::string>>;
inline constexpr double inf = std::numeric_limits<double>::infinity();

inline Encoder encoder_of(const ColumnSchema& schema) { return Encoder(Schema{{schema}}); }

/// The values of an axis for all rows of a table with one column.
inline Numbers encoded(const ColumnSchema& schema, const Table& table, std::size_t axis = 0) {
  const Encoder encoder = encoder_of(schema);
  const Column& column = *encoder.match(table).front();
  Numbers values(table.n_rows());
  encoder.encode(axis, column, 0, values);
  return values;
}

inline Numbers encoded(const ColumnSchema& schema, const Texts& texts) {
  const ColumnTable owned = ColumnTable().texts("x", texts);
  return encoded(schema, owned.table());
}

inline Numbers encoded(const ColumnSchema& schema, const Numbers& numbers) {
  const ColumnTable owned = ColumnTable().numbers("x", numbers);
  return encoded(schema, owned.table());
}

inline Schema completed(const ColumnSchema& schema, const ColumnTable& owned) {
  return complete_schema(Schema{{schema}}, owned.table());
}

inline ColumnSchema completed_column(const ColumnSchema& schema, const ColumnTable& owned) {
  return completed(schema, owned).columns.front();
}

/// The message of the exception; empty if there is none.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

inline bool same(const Numbers& a, const Numbers& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

inline ColumnSchema hierarchy(Parents parents, std::vector<std::string> levels = {}) {
  ColumnSchema schema = with_levels(Kind::category, std::move(levels));
  schema.parents = std::move(parents);
  return schema;
}

inline ColumnSchema circle(double period, double step = 0) {
  ColumnSchema schema = column_of(Kind::cyclic);
  schema.period = period;
  schema.step = step;
  return schema;
}

inline ColumnSchema ordinal(double low, double high) {
  ColumnSchema schema = column_of(Kind::ordinal);
  schema.range = {low, high};
  return schema;
}

inline ColumnSchema time_of(std::vector<Derivation> derive, Resolution resolution = Resolution::hour) {
  ColumnSchema schema = column_of(Kind::time);
  schema.derive = std::move(derive);
  schema.resolution = resolution;
  schema.zone = "UTC";
  return schema;
}

}  // namespace pidforest::schema
