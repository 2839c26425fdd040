// SPDX-License-Identifier: Apache-2.0
#include "pidforest/report.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "bindings.h"
#include "run.h"
#include "scores.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using Labels = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void write_report(const ScoredRows& scored, const std::string& path, const ReportOptions& options, unsigned threads,
                  const nb::object& on_progress) {
  const Run run = run_of(scored.scores.bits.size(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  ReportOptions complete = options;
  complete.declared = scored.rows.declared();
  if (!scored.scores.windows.empty() && !complete.time.empty()) complete.in_time = IncidentOptions{};
  pidforest::write_report(path, scored.model, scored.scores, complete, run);
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<ReportOptions>(module, "ReportOptions", "What a report is called, and what it goes by.")
      .def(nb::init<>())
      .def_rw("title", &ReportOptions::title)
      .def_rw("id", &ReportOptions::id)
      .def_rw("time", &ReportOptions::time)
      .def_rw("by", &ReportOptions::by)
      .def_rw("min_bits", &ReportOptions::min_bits, nb::arg().none())
      .def(
          "set_labels",
          [](ReportOptions& options, const Labels& labels) {
            options.labels.assign(labels.data(), labels.data() + labels.size());
          },
          nb::arg("labels"))
      .def(
          "add_fact",
          [](ReportOptions& options, std::string name, std::string value) {
            options.facts.emplace_back(std::move(name), std::move(value));
          },
          nb::arg("name"), nb::arg("value"), "Adds a line to the head of the page.")
      .def(
          "set_dialect", [](ReportOptions& options, const std::string& name) { options.sql = dialect_of(name); },
          nb::arg("name"));
  module.def("write_report", write_report, nb::arg("scored"), nb::arg("path"), nb::arg("options"), nb::arg("threads"),
             nb::arg("on_progress").none());
}

}  // namespace pidforest::python
