// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/explain.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "explain/comparison.h"
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
  /// Conditions of which one must hold, or none.
  struct Group {
    std::size_t begin;
    std::size_t end;
    bool is_negated = false;
  };

  /// Axis i belongs to condition i.
  schema::Encoder encoder;
  geometry::Parts parts;
  std::vector<Group> groups;

  Shared(const Schema& schema, std::span<const Condition> conditions, std::vector<Group> all_groups)
      : encoder(schema_of(schema, conditions)), groups(std::move(all_groups)) {
    for (std::size_t i = 0; i < conditions.size(); ++i)
      parts.push_back(explain::part_of(conditions[i], encoder.schema().columns[i]));
  }

  /// Each condition by itself.
  static std::vector<Group> groups_of_one(std::size_t n) {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < n; ++i) groups.push_back({.begin = i, .end = i + 1});
    return groups;
  }

  /// Clears the rows of a block that do not satisfy the group.
  void filter(const Group& group, const std::vector<const Column*>& columns, std::size_t begin,
              std::span<double> values, std::vector<bool>& matches) const {
    std::vector<bool> is_in(values.size(), false);
    std::vector<bool> is_missing(values.size(), false);
    for (std::size_t axis = group.begin; axis < group.end; ++axis) {
      encoder.encode(axis, *columns[axis], begin, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        is_in[i] = is_in[i] || parts[axis].holds(values[i]);
        is_missing[i] = is_missing[i] || (std::isnan(values[i]) && !parts[axis].is_missing);
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool holds = group.is_negated ? !is_in[i] && !is_missing[i] : is_in[i];
      if (!holds) matches[begin + i] = false;
    }
  }
};

RowFilter::RowFilter(const Schema& schema, std::span<const Condition> conditions)
    : RowFilter(std::make_shared<const Shared>(schema, conditions, Shared::groups_of_one(conditions.size()))) {}

RowFilter::RowFilter(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

RowFilter RowFilter::of_words(const Schema& schema, std::string_view words) {
  std::vector<Condition> conditions;
  std::vector<Shared::Group> groups;
  for (const explain::Comparison& comparison : explain::parse_comparisons(words)) {
    const std::size_t begin = conditions.size();
    for (Condition& one : explain::conditions_of(comparison, schema)) conditions.push_back(std::move(one));
    groups.push_back({.begin = begin, .end = conditions.size(), .is_negated = comparison.is_negated});
  }
  return RowFilter(std::make_shared<const Shared>(schema, conditions, std::move(groups)));
}

std::vector<std::string> columns_in_words(std::string_view words) {
  std::vector<std::string> names;
  for (explain::Comparison& comparison : explain::parse_comparisons(words))
    names.push_back(std::move(comparison.column));
  return names;
}

std::vector<bool> RowFilter::matches(const Table& table) const {
  constexpr std::size_t block = 4096;
  const std::vector<const Column*> columns = shared_->encoder.match(table);
  std::array<double, block> buffer;
  std::vector<bool> matches(table.n_rows(), true);
  for (const Shared::Group& group : shared_->groups)
    for (std::size_t begin = 0; begin < table.n_rows(); begin += block)
      shared_->filter(group, columns, begin, std::span(buffer.data(), std::min(block, table.n_rows() - begin)),
                      matches);
  return matches;
}

}  // namespace pidforest
