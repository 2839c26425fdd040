// SPDX-License-Identifier: Apache-2.0
// Incidents in time, and what changed since a fit.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "pidforest/compare.h"
#include "pidforest/incidents.h"
#include "rows.h"
#include "run.h"
#include "scores.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

/// Key, whether it is open, begin, end and worst moment, bits, first, last and worst row, events, anomalies, metrics,
/// and reason.
using IncidentTuple =
    std::tuple<std::string, bool, std::int64_t, std::int64_t, std::int64_t, double, std::uint64_t, std::uint64_t,
               std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::pair<std::string, double>>, std::string>;

/// The incidents, the number of anomalies, and the lowest score of one.
std::tuple<std::vector<IncidentTuple>, std::uint64_t, std::optional<double>> timed_incidents(
    const ScoredRows& scored, const std::string& time, const std::string& by, const IncidentOptions& options,
    std::optional<double> min_bits, unsigned threads, const nb::object& on_progress) {
  const Run run = run_of(scored.scores.bits.size(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  IncidentColumns columns{.time = time, .by = by};
  const Schema declared = scored.rows.declared();
  const auto found = std::ranges::find(declared.columns, time, &ColumnSchema::name);
  if (found != declared.columns.end() && found->kind == Kind::time) columns.time_schema = *found;
  Explainer explainer = Explainer::of_scored(scored.model, scored.scores.scored);
  TimedFindings all = find_timed_incidents(explainer, scored.scores, columns, options, min_bits, run);
  std::vector<IncidentTuple> incidents;
  for (TimedIncident& one : all.incidents) {
    std::vector<std::pair<std::string, double>> metrics;
    for (Blame& blame : one.blame) metrics.emplace_back(std::move(blame.metric), blame.bits);
    incidents.emplace_back(std::move(one.key), one.is_open, one.begin, one.end, one.worst, one.bits, one.first_row,
                           one.last_row, one.worst_rows.front(), one.n_events, one.n_anomalies, std::move(metrics),
                           std::move(one.reason));
  }
  return {std::move(incidents), all.n_anomalies, all.found.rule.limit()};
}

TableComparison compare_rows(const Model& model, const Rows& rows, double level, unsigned threads,
                             const nb::object& on_progress) {
  const Run run = run_of(rows.batches().n_rows(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  return compare(model, rows.batches(), level, run);
}

}  // namespace

void bind_changes(nb::module_& module) {
  nb::class_<IncidentOptions>(module, "IncidentOptions", "How anomalies are joined to incidents.")
      .def(nb::init<>())
      .def_rw("cool_down", &IncidentOptions::cool_down, nb::arg().none())
      .def_rw("alerts_per_day", &IncidentOptions::alerts_per_day, nb::arg().none())
      .def_rw("is_budget_per_key", &IncidentOptions::is_budget_per_key);
  module.def("timed_incidents", timed_incidents, nb::arg("scored"), nb::arg("time"), nb::arg("by"), nb::arg("options"),
             nb::arg("min_bits").none(), nb::arg("threads"), nb::arg("on_progress").none());
  nb::class_<ColumnChange>(module, "ColumnChange", "A column in the rows of a fit and in other rows.")
      .def_ro("column", &ColumnChange::column)
      .def_ro("p", &ColumnChange::p)
      .def_ro("is_changed", &ColumnChange::is_changed)
      .def_ro("missing_then", &ColumnChange::missing_then)
      .def_ro("missing_now", &ColumnChange::missing_now)
      .def_ro("range_then", &ColumnChange::range_then)
      .def_ro("range_now", &ColumnChange::range_now)
      .def_ro("n_beyond_range", &ColumnChange::n_beyond_range)
      .def_ro("n_new_levels", &ColumnChange::n_new_levels)
      .def_ro("vanished", &ColumnChange::vanished)
      .def_ro("words", &ColumnChange::words);
  nb::class_<TableComparison>(module, "TableComparison", "The rows of a fit beside other rows.")
      .def_ro("n_then", &TableComparison::n_then)
      .def_ro("n_now", &TableComparison::n_now)
      .def_ro("anomalies_now", &TableComparison::anomalies_now)
      .def_ro("columns", &TableComparison::columns);
  module.def("compare", compare_rows, nb::arg("model"), nb::arg("rows"), nb::arg("level"), nb::arg("threads"),
             nb::arg("on_progress").none());
}

}  // namespace pidforest::python
