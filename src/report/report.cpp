// SPDX-License-Identifier: Apache-2.0
#include "pidforest/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

#include "explain/findings.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/incidents.h"
#include "pidforest/series.h"
#include "report/changes.h"
#include "report/facts.h"
#include "report/incident_lines.h"
#include "report/listing.h"
#include "report/page.h"
#include "report/relations.h"
#include "report/report_data.h"
#include "report/report_json.h"
#include "report/row_names.h"
#include "report/shown_rows.h"
#include "report/spread.h"
#include "report/timeline.h"
#include "report/window_pictures.h"
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
/// Names of window columns end with what tells them apart: "mean of temperature minus usual over the last 1 h".
constexpr std::size_t longest_name = 100;

class Describing {
 public:
  Describing(Explainer& explainer, const Scores& scores, const ReportOptions& options, const Run& run)
      : model_(explainer.model()),
        schema_(model_.schema()),
        scores_(scores),
        run_(run),
        encoded_(model::state_of(model_).encoder, scores.scored),
        axes_(named_axes(model::state_of(model_).encoder)),
        timed_(incidents_of(explainer, scores, options, run)),
        options_(with_rule(options, timed_)),
        listing_(list_rows(explainer, scores, options_, timed_.incidents, run)),
        shown_(listing_.shown),
        values_(shown_values(model_, scores, shown_, run)),
        names_(scores.rows, time_column_of(model_, scores, options),
               {.id = options.id, .key = options.in_time ? options.by : ""}, listing_.named_rows()) {}

  ReportData describe() {
    const std::size_t n_incidents = options_.in_time ? timed_.incidents.size() : listing_.all.incidents.size();
    ReportData data{.title = values::excerpt(options_.title, longest_note),
                    .headline = headline_of(listing_, n_incidents),
                    .facts = summary_facts(model_, scores_, options_),
                    .notes = notes_of(listing_, model_, scores_, n_incidents),
                    .n_rows = scores_.rows.n_rows(),
                    .n_anomalies = listing_.all.n_anomalies,
                    .scores = scores_of(model_, scores_, options_)};
    describe_incidents(data);
    describe_rows(data);
    describe_columns(data);
    data.relations = relations_of(related_columns(model_));
    if (options_.changes) data.changes = changes_of(*options_.changes);
    describe_time(data);
    return data;
  }

 private:
  static TimedFindings incidents_of(Explainer& explainer, const Scores& scores, const ReportOptions& options,
                                    const Run& run) {
    if (!options.in_time) return {};
    const std::optional<ColumnSchema> time = time_column_of(explainer.model(), scores, options);
    return find_timed_incidents(explainer, scores,
                                {.time = options.time, .by = options.by, .time_schema = time.value_or(ColumnSchema{})},
                                *options.in_time, options.min_bits, run);
  }

  /// A budget of alerts sets its own rule.
  static ReportOptions with_rule(ReportOptions options, const TimedFindings& timed) {
    if (options.in_time) options.min_bits = timed.found.rule.min_bits;
    return options;
  }

  void describe_incidents(ReportData& data) {
    data.is_in_time = options_.in_time.has_value();
    data.incidents = data.is_in_time ? incidents_in_time(timed_, listing_, schema_, names_)
                                     : incidents_by_reason(listing_, schema_, names_);
    if (data.is_in_time) return;
    for (std::size_t i = 0; i < data.incidents.size(); ++i)
      for (const std::uint64_t row : listing_.all.incidents[i].rows) incident_of_[row] = i;
  }

  /// Incidents in time hold the listed anomalies of their series and time.
  [[nodiscard]] std::size_t incident_in_time(std::uint64_t row) const {
    const std::optional<std::int64_t> time = names_.utc(row);
    const std::span all(timed_.incidents);
    const auto some = all.first(std::min(most_incidents, all.size()));
    const auto found = std::ranges::find_if(some, [&](const TimedIncident& incident) {
      return time && incident.begin <= *time && *time <= incident.end && incident.key == names_.key(row);
    });
    return found == some.end() ? ReportData::none : static_cast<std::size_t>(found - some.begin());
  }

  /// Draws the axes, and on them the conditions of the rows.
  void describe_rows(ReportData& data) {
    facts_ = report::axis_facts(axes_, encoded_, run_);
    std::vector<AxisPicture> pictures;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      std::vector<double> marked;
      marked.reserve(values_.size());
      for (const ShownValues& row : values_) marked.push_back(row.encoded[axis]);
      pictures.emplace_back(axes_[axis], facts_[axis], marked);
    }
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> pair_places;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    bool has_more_pairs = false;
    for (std::size_t i = 0; i < shown_.rows.size(); ++i) {
      const Witness& witness = shown_.witness_of(shown_.rows[i]);
      ReportData::Row row = described(shown_.rows[i]);
      row.conditions = drawn_conditions(witness, values_[i], schema_, axes_, pictures);
      const auto pair = pair_of(witness, axes_, pictures);
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
    describe_metrics(data.rows);
    Spread spread = spread_of(pictures, pairs, encoded_, run_);
    data.axes = std::move(spread.axes);
    data.pairs = std::move(spread.pairs);
  }

  [[nodiscard]] ReportData::Row described(const Finding& finding) const {
    const Witness& witness = shown_.witness_of(finding);
    ReportData::Row row;
    row.row = finding.row + 1;
    row.id = names_.id(finding.row);
    row.time = names_.time(finding.row);
    row.seconds = names_.seconds(finding.row);
    row.bits = finding.bits;
    row.is_anomaly = finding.is_anomaly.value_or(false);
    if (!options_.labels.empty()) row.label = options_.labels[finding.row];
    if (const auto incident = incident_of_.find(finding.row); incident != incident_of_.end())
      row.incident = incident->second;
    if (options_.in_time && row.is_anomaly) row.incident = incident_in_time(finding.row);
    if (finding.normal_if && !finding.normal_if->empty()) row.normal_if = to_words(*finding.normal_if, schema_);
    for (const ColumnBits& one : std::span(finding.columns).first(std::min(most_columns, finding.columns.size())))
      row.columns.push_back({.column = one.column, .bits = one.bits, .value = one.value});
    const ReasonWords words = reason_words(finding, witness, schema_);
    row.reason = words.values;
    row.counts = words.evidence;
    if (witness.conditions.empty()) return row;
    for (const std::uint64_t number : *finding.impostors) row.impostors.push_back(number + 1);
    row.n_impostors = listing_.n_inside[finding.witness] - 1;  // a witness holds its row
    std::tie(row.sql, row.sql_note) = sql_of(witness);
    return row;
  }

  /// A query, or why there is none.
  [[nodiscard]] std::pair<std::string, std::string> sql_of(const Witness& witness) const {
    if (!scores_.windows.empty())
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
      data.columns.push_back({.name = values::excerpt(column.name, longest_name),
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
    for (const Incident& incident : listing_.all.incidents)
      for (ReportData::Column& column : data.columns)
        column.n_witnesses += names(listing_.all.witness_of(incident), column) ? incident.rows.size() : 0;
  }

  [[nodiscard]] bool names(const Witness& witness, const ReportData::Column& column) const {
    return std::ranges::any_of(witness.conditions, [&](const Condition& condition) {
      return !column.axes.empty() && axes_[column.axes.front()].column.name == condition.column;
    });
  }

  /// The mean of what the columns give the anomalies, or without any, the rows that are shown.
  void add_bits(std::vector<ReportData::Column>& columns) const {
    std::vector<std::uint64_t> rows = listing_.in_incidents();
    if (rows.empty()) rows = shown_rows();
    if (rows.empty()) return;
    const TableStore values = explain::scored_values(scores_, rows);
    values.for_each([&](const Table& batch) {
      const std::vector<double> bits = model_.column_bits(batch, run_);
      for (std::size_t i = 0; i < bits.size(); ++i)
        columns[i % columns.size()].mean_bits += bits[i] / static_cast<double>(rows.size());
    });
  }

  [[nodiscard]] std::vector<std::uint64_t> shown_rows() const {
    std::vector<std::uint64_t> rows;
    for (const Finding& finding : shown_.rows) rows.push_back(finding.row);
    return rows;
  }

  void describe_time(ReportData& data) {
    const std::optional<ColumnSchema>& time = names_.time_column();
    if (!time) return;
    const std::vector<std::uint64_t> listed = shown_rows();
    ReportData::Series series = timeline_of({.rows = scores_.rows,
                                             .bits = scores_.bits,
                                             .anomalies = listing_.is_anomaly,
                                             .listed = listed,
                                             .time = *time,
                                             .by = options_.by,
                                             .has_clock = names_.has_clock(),
                                             .metrics = metrics_by_bits(data.columns)},
                                            run_);
    if (series.tracks.empty()) return;
    if (data.is_in_time)
      for (ReportData::Track& track : series.tracks) track.spans = spans_of_incidents(timed_, track.key, listing_);
    const auto after_rows = data.facts.begin() + static_cast<std::ptrdiff_t>(options_.facts.size() + 1);
    data.facts.emplace(after_rows, "Times",
                       fmt::format("{} to {}, {}", series.first_time, series.last_time, series.zone));
    data.series = std::move(series);
  }

  /// The columns of numbers that measure something, in their order.
  [[nodiscard]] std::vector<ColumnSchema> metrics() const {
    std::vector<ColumnSchema> metrics;
    const auto add = [&, rows = scores_.rows.header()](const ColumnSchema& one) {
      const bool is_metric = one.kind == Kind::continuous || one.kind == Kind::ordinal || one.kind == Kind::cyclic;
      const auto column = std::ranges::find(rows.columns(), one.name, &Column::name);
      if (is_metric && column != rows.columns().end() && column->type == ColumnType::number &&
          std::ranges::find(metrics, one.name, &ColumnSchema::name) == metrics.end())
        metrics.push_back(one);
    };
    for (const ColumnSchema& column : schema_.columns) add(column);
    // Windows need not have a column with the last value of a metric itself.
    if (schema_.windows)
      for (const ColumnSchema& metric : schema_.windows->metrics) add(metric);
    return metrics;
  }

  /// The metrics, those first whose columns give the anomalies most bits.
  [[nodiscard]] std::vector<ColumnSchema> metrics_by_bits(const std::vector<ReportData::Column>& columns) const {
    std::vector<ColumnSchema> metrics = this->metrics();
    const std::vector<std::string> names = names_of(metrics);
    std::map<std::string, double> bits;
    for (std::size_t i = 0; i < columns.size(); ++i)
      bits[metric_of(schema_.columns[i].name, names)] += columns[i].mean_bits;
    std::ranges::stable_sort(metrics, std::ranges::greater{}, [&](const ColumnSchema& one) { return bits[one.name]; });
    return metrics;
  }

  [[nodiscard]] static std::vector<std::string> names_of(const std::vector<ColumnSchema>& metrics) {
    std::vector<std::string> names;
    names.reserve(metrics.size());
    for (const ColumnSchema& metric : metrics) names.push_back(metric.name);
    return names;
  }

  /// The metrics by which each row stands out, and the windows that gave rows their scores.
  void describe_metrics(std::vector<ReportData::Row>& rows) const {
    constexpr std::size_t most_named = 5;
    constexpr std::size_t most_drawn = 3;
    const std::vector<ColumnSchema> metrics = this->metrics();
    const std::vector<std::string> names = names_of(metrics);
    std::vector<WindowToDraw> windows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      WindowToDraw& window = windows.emplace_back(WindowToDraw{.row = shown_.rows[i].row});
      for (const Blame& one : blame_of(shown_.rows[i].columns, schema_, names)) {
        const auto metric = std::ranges::find(metrics, one.metric, &ColumnSchema::name);
        if (metric == metrics.end() || rows[i].metrics.size() == most_named) continue;
        rows[i].metrics.push_back(values::excerpt(one.metric));
        if (window.metrics.size() < most_drawn) window.metrics.push_back(*metric);
      }
    }
    const auto* series = dynamic_cast<const Series*>(&scores_.scored);
    if (series == nullptr || scores_.windows.empty()) return;
    auto pictures = window_pictures(*series, scores_, names_.time_column(), windows);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].window = std::move(pictures[i]);
  }

  const Model& model_;
  const Schema& schema_;
  const Scores& scores_;
  const Run& run_;
  schema::EncodedBatches encoded_;
  std::vector<NamedAxis> axes_;
  /// Empty unless incidents are in time.
  TimedFindings timed_;
  ReportOptions options_;
  Listing listing_;
  const Findings& shown_;
  std::vector<ShownValues> values_;
  RowNames names_;
  std::vector<AxisFacts> facts_;
  /// The incident of each row that one has.
  std::unordered_map<std::uint64_t, std::size_t> incident_of_;
};

}  // namespace

}  // namespace report

report::ReportData report::describe(Explainer& explainer, const Scores& scores, const ReportOptions& options,
                                    const Run& run) {
  return Describing(explainer, scores, options, run).describe();
}

std::string report::to_html(const ReportData& data) { return page_with(to_json(data)); }

std::string report_html(Explainer& explainer, const Scores& scores, const ReportOptions& options, const Run& run) {
  return report::to_html(report::describe(explainer, scores, options, run));
}

std::string report_html(const Model& model, const Scores& scores, const ReportOptions& options, const Run& run) {
  Explainer explainer = Explainer::of_scored(model, scores.scored);
  return report_html(explainer, scores, options, run);
}

void write_report(const std::string& path, const Model& model, const Scores& scores, const ReportOptions& options,
                  const Run& run) {
  system::AtomicFile file(path);
  file.write(report_html(model, scores, options, run));
  file.commit();
}

}  // namespace pidforest
