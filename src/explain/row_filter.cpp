// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <algorithm>
#include <array>
#include <utility>

#include "explain/condition.h"
#include "explain/wording.h"
#include "geometry/part.h"
#include "pidforest/explain.h"
#include "schema/encode.h"

namespace pidforest {

namespace {

/// A schema with one column per condition, and in it only the axis that the condition restricts.
Schema schema_of(const Schema& schema, std::span<const Condition> conditions) {
  Schema asked;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    ColumnSchema column = explain::check_condition(conditions[i], schema, i);
    // Any derivation of a time shows whether it is missing.
    if (column.kind == Kind::time) column.derive = {conditions[i].derivation.value_or(Derivation::epoch)};
    asked.columns.push_back(std::move(column));
  }
  return asked;
}

}  // namespace

struct RowFilter::Shared {
  /// Axis i belongs to condition i.
  schema::Encoder encoder;
  geometry::Parts parts;

  Shared(const Schema& schema, std::span<const Condition> conditions) : encoder(schema_of(schema, conditions)) {
    for (std::size_t i = 0; i < conditions.size(); ++i)
      parts.push_back(explain::part_of(conditions[i], encoder.schema().columns[i]));
  }
};

RowFilter::RowFilter(const Schema& schema, std::span<const Condition> conditions)
    : shared_(std::make_shared<const Shared>(schema, conditions)) {}

std::vector<bool> RowFilter::matches(const Table& table) const {
  constexpr std::size_t block = 4096;
  const std::vector<const Column*> columns = shared_->encoder.match(table);
  std::array<double, block> buffer;
  std::vector<bool> matches(table.n_rows(), true);
  for (std::size_t axis = 0; axis < columns.size(); ++axis)
    for (std::size_t begin = 0; begin < table.n_rows(); begin += block) {
      const std::span<double> values(buffer.data(), std::min(block, table.n_rows() - begin));
      shared_->encoder.encode(axis, *columns[axis], begin, values);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!shared_->parts[axis].holds(values[i])) matches[begin + i] = false;
    }
  return matches;
}

}  // namespace pidforest
