// SPDX-License-Identifier: Apache-2.0
#include "report/shown_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "explain/findings.h"
#include "explain/wording.h"
#include "model/state.h"
#include "schema/encoded_table.h"
#include "table/value.h"

namespace pidforest::report {

namespace {

std::vector<std::string> values_in_words(const std::vector<const Column*>& columns, std::size_t row) {
  std::vector<std::string> values;
  values.reserve(columns.size());
  for (const Column* column : columns) values.push_back(column != nullptr ? table::value_words(*column, row) : "");
  return values;
}

}  // namespace

std::vector<ShownValues> shown_values(const Model& model, const Scores& scores, const Findings& shown, const Run& run) {
  const schema::Encoder& encoder = model::state_of(model).encoder;
  std::vector<std::uint64_t> rows;
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (const Finding& finding : shown.rows) {
    places.emplace(finding.row, rows.size());
    rows.push_back(finding.row);
  }
  const TableStore values = explain::scored_values(scores, rows);
  std::vector<ShownValues> all(rows.size());
  std::size_t first = 0;
  values.for_each([&](const Table& batch) {
    const schema::EncodedTable encoded(encoder, batch, run);
    const std::vector<const Column*> columns = encoder.match(batch);
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      ShownValues& one = all[places.at(rows[first + i])];
      one.words = values_in_words(columns, i);
      for (const Column& axis : encoded.table().columns()) one.encoded.push_back(axis.number(i));
    }
    first += batch.n_rows();
  });
  return all;
}

std::size_t axis_of(const Condition& condition, const std::vector<NamedAxis>& axes) {
  // Whether a time is missing can be seen from any of its derivations.
  const auto fits = [&](const NamedAxis& axis) {
    return axis.column.name == condition.column && (!condition.derivation || axis.derivation == condition.derivation);
  };
  return static_cast<std::size_t>(std::ranges::find_if(axes, fits) - axes.begin());
}

std::optional<std::pair<std::size_t, std::size_t>> pair_of(const Witness& witness, const std::vector<NamedAxis>& axes,
                                                           const std::vector<AxisPicture>& pictures) {
  std::vector<Condition> conditions;
  for (const Condition& one : witness.conditions)
    if (one.shape != Condition::Shape::missing && pictures[axis_of(one, axes)].n_bars() > 0) conditions.push_back(one);
  if (conditions.size() < 2) return std::nullopt;
  std::ranges::stable_sort(conditions, {}, &Condition::share);
  return std::minmax({axis_of(conditions[0], axes), axis_of(conditions[1], axes)});
}

std::vector<ReportData::Condition> drawn_conditions(const Witness& witness, const ShownValues& values,
                                                    const Schema& schema, const std::vector<NamedAxis>& axes,
                                                    const std::vector<AxisPicture>& pictures) {
  std::vector<ReportData::Condition> drawn;
  for (const Condition& condition : witness.conditions) {
    const std::size_t axis = axis_of(condition, axes);
    const double value = values.encoded[axis];
    ReportData::Condition& one = drawn.emplace_back();
    one.axis = axis;
    one.words = to_words(condition, schema);
    one.holds_missing = condition.shape == Condition::Shape::missing;
    one.spans = pictures[axis].spans_of(explain::part_of(condition, axes[axis].column));
    if (!std::isnan(value)) one.at = pictures[axis].place_of(value);
    one.value = values.words[axes[axis].info.column];
    one.bits = -std::log2(condition.share);
  }
  return drawn;
}

}  // namespace pidforest::report
