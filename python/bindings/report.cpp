// SPDX-License-Identifier: Apache-2.0
#include "pidforest/report.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings.h"
#include "rows.h"
#include "run.h"
#include "witnesses.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The window of each row; -1 means none.
std::vector<std::size_t> windows_in(const Array<std::int64_t>& windows) {
  return {windows.data(), windows.data() + windows.size()};
}

std::vector<bool> labels_in(const std::optional<Array<bool>>& labels) {
  std::vector<bool> known;
  if (labels) known.assign(labels->data(), labels->data() + labels->size());
  return known;
}

/// `scored` are the rows themselves, or windows of them; `windows` then has the number of each row's window.
void write_report(const Model& model, const std::string& path, const Rows& rows, const Rows& scored,
                  const Array<double>& bits, const std::optional<Array<std::int64_t>>& windows,
                  const std::optional<Array<bool>>& labels, const ReportOptions& options, unsigned threads,
                  const nb::object& on_progress) {
  const Run run = run_of(rows.batches().n_rows(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  const std::vector<std::size_t> scored_rows = windows ? windows_in(*windows) : std::vector<std::size_t>{};
  const std::vector<bool> none_known;
  const std::vector<bool> known_anomalies = labels_in(labels);
  pidforest::write_report(path, model,
                          {.rows = rows.batches(),
                           .scored = scored.batches(),
                           .bits = std::span(bits.data(), bits.size()),
                           .scored_rows = scored_rows,
                           .is_known = none_known,
                           .labels = known_anomalies,
                           .declared = rows.declared()},
                          options, run);
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
          "set_dialect", [](ReportOptions& options, const std::string& name) { options.sql = dialect_of(name); },
          nb::arg("name"));
  module.def("write_report", write_report, nb::arg("model"), nb::arg("path"), nb::arg("rows"), nb::arg("scored"),
             nb::arg("bits"), nb::arg("windows").none(), nb::arg("labels").none(), nb::arg("options"),
             nb::arg("threads"), nb::arg("on_progress").none());
}

}  // namespace pidforest::python
