// SPDX-License-Identifier: Apache-2.0
#include "pidforest/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/state.h"
#include "pidforest/error.h"
#include "report/facts.h"
#include "report/listing.h"
#include "report/page.h"
#include "report/report_data.h"
#include "report/report_json.h"
#include "report/row_names.h"
#include "report/shown_rows.h"
#include "report/spread.h"
#include "report/timeline.h"
#include "schema/schema_words.h"
#include "system/atomic_file.h"
#include "values/excerpt.h"
#include "values/number_words.h"

namespace pidforest {

namespace report {

namespace {

/// A longer query would not be read, and a page of many would not be opened.
constexpr std::size_t longest_sql = 5'000;
constexpr std::size_t longest_note = 300;

class Describing {
 public:
  Describing(const Model& model, const ScoredTable& table, const ReportOptions& options, const Run& run)
      : model_(model),
        schema_(model.schema()),
        table_(table),
        options_(options),
        run_(run),
        encoded_(model::state_of(model).encoder, table.scored),
        axes_(named_axes(model::state_of(model).encoder)),
        explainer_(model, table.scored, run),
        listing_(list_rows(model, table, options, explainer_, run)),
        shown_(explain_shown(model, table, listing_, options, explainer_, run)),
        names_(table.rows, time_column_of(model, table, options), options.id, listing_) {}

  ReportData describe() {
    ReportData data{.title = values::excerpt(options_.title, longest_note),
                    .headline = headline_of(listing_, model_, options_),
                    .facts = summary_facts(model_, table_, options_),
                    .notes = notes_of(listing_, model_, table_),
                    .n_rows = table_.rows.n_rows(),
                    .n_anomalies = listing_.n_anomalies,
                    .scores = scores_of(model_, table_, options_)};
    describe_incidents(data);
    describe_rows(data);
    describe_columns(data);
    describe_time(data);
    return data;
  }

 private:
  void describe_incidents(ReportData& data) {
    incident_of_.assign(listing_.found.size(), ReportData::none);
    const std::size_t n = std::min(most_incidents, listing_.incidents.size());
    for (std::size_t i = 0; i < n; ++i) {
      const Incident& incident = listing_.incidents[i];
      const bool has_conditions = !incident.witness.conditions.empty();
      ReportData::Incident& one = data.incidents.emplace_back();
      one.reason = has_conditions ? to_words(incident.witness.conditions, schema_) : "no shared reason";
      if (has_conditions) one.counts = counts_in_words(incident.witness);
      one.n_anomalies = incident.rows.size();
      one.bits = listing_.found[incident.rows.front()].bits;
      std::tie(one.first_time, one.last_time) = names_.time_range(incident.rows);
      for (const std::size_t place : incident.rows) incident_of_[place] = i;
    }
  }

  /// Draws the axes, and on them the conditions of the rows.
  void describe_rows(ReportData& data) {
    facts_ = report::axis_facts(axes_, encoded_, run_);
    std::vector<AxisPicture> pictures;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      std::vector<double> marked;
      marked.reserve(shown_.size());
      for (const ShownRow& row : shown_) marked.push_back(row.encoded[axis]);
      pictures.emplace_back(axes_[axis], facts_[axis], marked);
    }
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> pair_places;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    bool has_more_pairs = false;
    const auto impostors = impostors_of(shown_, model_, table_, listing_, run_);
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      ReportData::Row row = described(i, impostors[i]);
      row.conditions = drawn_conditions(shown_[i], schema_, axes_, pictures);
      const auto pair = pair_of(shown_[i].witness, axes_, pictures);
      if (pair && (pairs.size() < options_.most_pairs || pair_places.contains(*pair))) {
        const auto [place, is_new] = pair_places.try_emplace(*pair, pairs.size());
        if (is_new) pairs.push_back(*pair);
        row.pair = place->second;
      }
      has_more_pairs = has_more_pairs || (pair && row.pair == ReportData::none);
      data.rows.push_back(std::move(row));
    }
    if (has_more_pairs)
      data.notes.push_back(
          fmt::format("Only the first {} pairs of columns named by reasons are drawn.", options_.most_pairs));
    Spread spread = spread_of(pictures, pairs, encoded_, run_);
    data.axes = std::move(spread.axes);
    data.pairs = std::move(spread.pairs);
  }

  [[nodiscard]] ReportData::Row described(std::size_t i, const std::vector<std::uint64_t>& impostors) const {
    const std::size_t place = listing_.shown[i];
    const FoundRow& found = listing_.found[place];
    const ShownRow& shown = shown_[i];
    ReportData::Row row;
    row.row = found.row + 1;
    row.id = names_.id(place);
    row.time = names_.time(place);
    row.seconds = names_.seconds(place);
    row.bits = found.bits;
    row.is_anomaly = found.is_anomaly;
    if (!table_.labels.empty()) row.label = table_.labels[found.row];
    row.incident = incident_of_[place];
    row.reason = shown.reason;
    row.normal_if = shown.normal_if;
    for (const ColumnBits& one : std::span(shown.columns).first(std::min(most_columns, shown.columns.size())))
      row.columns.push_back({.column = one.column, .bits = one.bits, .value = shown.values[one.column]});
    if (shown.witness.conditions.empty()) return row;
    row.counts = counts_in_words(shown.witness);
    for (const std::uint64_t number : impostors) row.impostors.push_back(number + 1);
    row.n_impostors = shown.witness.n_inside > 0 ? shown.witness.n_inside - 1 : 0;
    std::tie(row.sql, row.sql_note) = sql_of(shown.witness);
    return row;
  }

  /// A query, or why there is none.
  [[nodiscard]] std::pair<std::string, std::string> sql_of(const Witness& witness) const {
    if (!table_.scored_rows.empty())
      return {"", "A window spans several rows of the series; a table in SQL has no columns for it."};
    try {
      const std::string query =
          fmt::format("SELECT COUNT(*) FROM your_table\nWHERE {}", to_sql(witness.conditions, schema_, options_.sql));
      if (query.size() <= longest_sql) return {query, ""};
      return {"", fmt::format("The query has {} characters; `pidforest explain --sql` prints it.",
                              values::count_words(query.size()))};
    } catch (const InvalidOption& error) {
      return {"", error.what()};
    }
  }

  void describe_columns(ReportData& data) {
    for (const ColumnSchema& column : schema_.columns)
      data.columns.push_back({.name = values::excerpt(column.name),
                              .kind = std::string(name_of(column.kind)),
                              .unit = values::excerpt(column.unit),
                              .note = values::excerpt(column.note, longest_note),
                              .missing_share = std::numeric_limits<double>::quiet_NaN()});
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      ReportData::Column& column = data.columns[axes_[axis].info.column];
      column.axes.push_back(axis);
      column.missing_share = static_cast<double>(facts_[axis].n_missing) /
                             static_cast<double>(std::max<std::size_t>(encoded_.n_rows(), 1));
    }
    add_bits(data.columns);
    for (const Incident& incident : listing_.incidents)
      for (ReportData::Column& column : data.columns)
        column.n_witnesses += names(incident, column) ? incident.rows.size() : 0;
  }

  [[nodiscard]] bool names(const Incident& incident, const ReportData::Column& column) const {
    return std::ranges::any_of(incident.witness.conditions, [&](const Condition& condition) {
      return !column.axes.empty() && axes_[column.axes.front()].column.name == condition.column;
    });
  }

  /// The mean of what the columns give the anomalies, or without any the rows that are shown.
  void add_bits(std::vector<ReportData::Column>& columns) const {
    const bool has_anomalies = listing_.n_found_anomalies() > 0;
    const std::vector<std::size_t> places = has_anomalies ? places_up_to(listing_.n_found_anomalies()) : listing_.shown;
    if (places.empty()) return;
    const FoundValues values = values_of(table_.scored, listing_.found, places, ValuesOf::scored);
    values.rows.for_each([&](const Table& batch) {
      const std::vector<double> bits = model_.column_bits(batch, run_);
      for (std::size_t i = 0; i < bits.size(); ++i)
        columns[i % columns.size()].mean_bits += bits[i] / static_cast<double>(places.size());
    });
  }

  void describe_time(ReportData& data) {
    const std::optional<ColumnSchema>& time = names_.time_column();
    if (!time) return;
    std::vector<std::uint64_t> listed;
    listed.reserve(listing_.shown.size());
    for (const std::size_t place : listing_.shown) listed.push_back(listing_.found[place].row);
    ReportData::Series series = timeline_of({.rows = table_.rows,
                                             .bits = table_.bits,
                                             .anomalies = listing_.is_anomaly,
                                             .listed = listed,
                                             .time = *time,
                                             .by = options_.by,
                                             .metrics = metrics(data.columns)},
                                            run_);
    if (series.tracks.empty()) return;
    const auto after_rows = data.facts.begin() + static_cast<std::ptrdiff_t>(options_.facts.size() + 1);
    data.facts.emplace(after_rows, "Times",
                       fmt::format("{} to {}, {}", series.first_time, series.last_time, series.zone));
    data.series = std::move(series);
  }

  /// The columns of numbers that measure something, those that matter most first.
  [[nodiscard]] std::vector<ColumnSchema> metrics(const std::vector<ReportData::Column>& columns) const {
    std::vector<std::size_t> order = places_up_to(columns.size());
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return columns[i].mean_bits; });
    const Table rows = table_.rows.header();
    std::vector<ColumnSchema> metrics;
    for (const std::size_t i : order) {
      const Kind kind = schema_.columns[i].kind;
      const bool is_metric = kind == Kind::continuous || kind == Kind::ordinal || kind == Kind::cyclic;
      const auto column = std::ranges::find(rows.columns(), schema_.columns[i].name, &Column::name);
      if (is_metric && column != rows.columns().end() && column->type == ColumnType::number)
        metrics.push_back(schema_.columns[i]);
    }
    return metrics;
  }

  const Model& model_;
  const Schema& schema_;
  const ScoredTable& table_;
  const ReportOptions& options_;
  const Run& run_;
  schema::EncodedBatches encoded_;
  std::vector<NamedAxis> axes_;
  Explainer explainer_;
  Listing listing_;
  std::vector<ShownRow> shown_;
  RowNames names_;
  std::vector<AxisFacts> facts_;
  /// Of each found row.
  std::vector<std::size_t> incident_of_;
};

}  // namespace

}  // namespace report

report::ReportData report::describe(const Model& model, const ScoredTable& table, const ReportOptions& options,
                                    const Run& run) {
  return Describing(model, table, options, run).describe();
}

std::string report::to_html(const ReportData& data) { return page_with(to_json(data)); }

std::string report_html(const Model& model, const ScoredTable& table, const ReportOptions& options, const Run& run) {
  return report::to_html(report::describe(model, table, options, run));
}

void write_report(const std::string& path, const Model& model, const ScoredTable& table, const ReportOptions& options,
                  const Run& run) {
  system::AtomicFile file(path);
  file.write(report_html(model, table, options, run));
  file.commit();
}

}  // namespace pidforest
