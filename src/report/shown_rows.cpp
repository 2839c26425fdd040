// SPDX-License-Identifier: Apache-2.0
#include "report/shown_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "explain/wording.h"
#include "model/state.h"
#include "pidforest/mark.h"
#include "schema/encoded_table.h"
#include "schema/match.h"
#include "system/parallel.h"
#include "table/value.h"

namespace pidforest::report {

namespace {

std::vector<std::string> values_in_words(const std::vector<const Column*>& columns, std::size_t row) {
  std::vector<std::string> values;
  values.reserve(columns.size());
  for (const Column* column : columns) values.push_back(column != nullptr ? table::value_words(*column, row) : "");
  return values;
}

std::string normal_words(const Model& model, const Table& row, double most, const Run& run) {
  const auto conditions = nearest_normal(model, row, most, run);
  return conditions && !conditions->empty() ? to_words(*conditions, model.schema()) : "";
}

}  // namespace

std::vector<ShownRow> explain_shown(const Model& model, const ScoredTable& table, const Listing& listing,
                                    const ReportOptions& options, Explainer& explainer, const Run& run) {
  const schema::Encoder& encoder = model::state_of(model).encoder;
  const Mark mark{.threshold = model.threshold(), .min_bits = options.min_bits};
  const FoundValues values = values_of(table.scored, listing.found, listing.shown, ValuesOf::scored);
  explainer.prepare(values.rows, run);
  std::vector<ShownRow> rows(listing.shown.size());
  std::size_t first = 0;
  values.rows.for_each([&](const Table& batch) {
    const Explanations explained = explainer.explain(batch, run);
    const schema::EncodedTable encoded(encoder, batch, run);
    const std::vector<const Column*> columns = encoder.match(batch);
    Run single = run;
    single.threads = 1;
    single.on_progress = nullptr;
    system::parallel_for(batch.n_rows(), run, "explaining", [&](std::size_t i, unsigned) {
      const std::size_t place = values.places[first + i];
      const FoundRow& found = listing.found[place];
      ShownRow& row =
          rows[static_cast<std::size_t>(std::ranges::lower_bound(listing.shown, place) - listing.shown.begin())];
      row.witness = explained.witnesses[explained.witness_of[i]];
      row.columns = column_bits_of(explained, i);
      row.values = values_in_words(columns, i);
      for (const Column& axis : encoded.table().columns()) row.encoded.push_back(axis.number(i));
      const Table only = batch.rows(i, i + 1);
      row.reason = row.witness.conditions.empty() ? to_words(row.columns, model.schema(), only, found.bits)
                                                  : to_words(row.witness.conditions, model.schema());
      if (const auto most = mark.most_normal(); most && found.is_anomaly)
        row.normal_if = normal_words(model, only, *most, single);
    });
    first += batch.n_rows();
  });
  return rows;
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

std::vector<ReportData::Condition> drawn_conditions(const ShownRow& row, const Schema& schema,
                                                    const std::vector<NamedAxis>& axes,
                                                    const std::vector<AxisPicture>& pictures) {
  std::vector<ReportData::Condition> drawn;
  for (const Condition& condition : row.witness.conditions) {
    const std::size_t axis = axis_of(condition, axes);
    const double value = row.encoded[axis];
    ReportData::Condition& one = drawn.emplace_back();
    one.axis = axis;
    one.words = to_words(condition, schema);
    one.holds_missing = condition.shape == Condition::Shape::missing;
    one.spans = pictures[axis].spans_of(explain::part_of(condition, axes[axis].column));
    if (!std::isnan(value)) one.at = pictures[axis].place_of(value);
    one.value = row.values[axes[axis].info.column];
    one.bits = -std::log2(condition.share);
  }
  return drawn;
}

}  // namespace pidforest::report
