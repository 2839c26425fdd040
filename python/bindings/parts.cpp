// SPDX-License-Identifier: Apache-2.0
// The parts of a fit of rows that lie on several machines.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "options.h"
#include "pidforest/distributed.h"
#include "pidforest/schema.h"
#include "rows.h"
#include "run.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes to_python(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

/// Facts whose declared schema may come from the types of the first rows, as in a fit without a schema.
struct RowFacts {
  std::optional<std::string> schema = {};
  std::optional<Facts> facts = {};

  [[nodiscard]] Facts without_rows(const Schema& implied) const {
    return schema ? Facts(parse_schema(*schema), Unnamed::ignored) : Facts(implied, Unnamed::inferred);
  }
  [[nodiscard]] Facts known() const { return facts ? *facts : without_rows({}); }

  void add(const Rows& rows, std::uint64_t first_row) {
    if (!facts) facts = without_rows(rows.declared());
    const nb::gil_scoped_release unlocked;
    facts->add(rows.batches(), first_row);
  }
  void merge(const RowFacts& other) {
    if (!facts)
      facts = other.facts;
    else if (other.facts)
      facts->merge(*other.facts);
  }
  [[nodiscard]] nb::bytes bytes() const { return to_python(known().to_bytes()); }
  static RowFacts from_bytes(const nb::bytes& bytes) {
    RowFacts read;
    read.facts = Facts::from_bytes({bytes.c_str(), bytes.size()});
    return read;
  }
};

template <class Part>
nb::bytes bytes_of(const Part& part) {
  return to_python(part.to_bytes());
}
template <class Part>
Part part_of(const nb::bytes& bytes) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const nb::gil_scoped_release unlocked;
  return Part::from_bytes(view);
}
template <class Part>
void set_state(Part& part, const nb::bytes& bytes) {
  new (&part) Part(part_of<Part>(bytes));
}

NumpyArray<std::uint64_t> draw_rows(std::uint64_t n_rows, const nb::dict& options) {
  return to_numpy(rows_to_draw(n_rows, options_of(options)));
}

void new_survey(Survey* survey, const std::string& schema, std::uint64_t n_rows, const nb::dict& options) {
  new (survey) Survey(parse_schema(schema), n_rows, options_of(options));
}

void add_to_survey(Survey& survey, const Rows& rows, std::uint64_t first_row, unsigned threads) {
  const nb::object no_progress = nb::none();
  const Run run = run_of(rows.batches().n_rows(), threads, no_progress);
  const nb::gil_scoped_release unlocked;
  survey.add(rows.batches(), first_row, run);
}

GrownForest grow(const Survey& survey, unsigned threads, const nb::object& on_progress) {
  const Run run = run_of(survey.n_added(), threads, on_progress);
  const nb::gil_scoped_release unlocked;
  return GrownForest::grow(survey, run);
}

Marks marks_of(const GrownForest& forest, const Rows& rows, std::uint64_t first_row, unsigned threads) {
  const nb::object no_progress = nb::none();
  const Run run = run_of(rows.batches().n_rows(), threads, no_progress);
  const nb::gil_scoped_release unlocked;
  return forest.marks(rows.batches(), first_row, run);
}

NumpyArray<std::int64_t> count(const GrownForest& forest, const Rows& rows, unsigned threads) {
  const nb::object no_progress = nb::none();
  const Run run = run_of(rows.batches().n_rows(), threads, no_progress);
  PartCounts counts;
  {
    const nb::gil_scoped_release unlocked;
    counts = forest.count(rows.batches(), run);
  }
  return to_numpy(std::move(counts.numbers));
}

Model finish(const GrownForest& forest, const Numbers& counts, const Survey& survey) {
  const nb::object no_progress = nb::none();
  const Run run = run_of(survey.n_added(), 0, no_progress);
  const nb::gil_scoped_release unlocked;
  return forest.finish({forest.n_sums(), {counts.data(), counts.data() + counts.shape(0)}}, survey, run);
}

}  // namespace

void bind_parts(nb::module_& module) {
  nb::class_<RowFacts>(module, "Facts", "What inference and completion of a schema need to know of rows.")
      .def(
          "__init__",
          [](RowFacts* facts, std::optional<std::string> schema) { new (facts) RowFacts{std::move(schema)}; },
          nb::arg("schema").none() = nb::none())
      .def("add", &RowFacts::add, nb::arg("rows"), nb::arg("first_row"))
      .def("merge", &RowFacts::merge, nb::arg("other"))
      .def_prop_ro("n_rows", [](const RowFacts& facts) { return facts.known().n_rows(); })
      .def("schema", [](const RowFacts& facts) { return to_json(facts.known().schema()); })
      .def("to_bytes", &RowFacts::bytes)
      .def_static("from_bytes", &RowFacts::from_bytes, nb::arg("bytes"))
      .def("__getstate__", &RowFacts::bytes)
      .def("__setstate__",
           [](RowFacts& facts, const nb::bytes& bytes) { new (&facts) RowFacts(RowFacts::from_bytes(bytes)); });
  module.def("rows_to_draw", draw_rows, nb::arg("n_rows"), nb::arg("options"));
  nb::class_<Survey>(module, "Survey", "The ranges of the axes, and the rows that a fit draws.")
      .def("__init__", new_survey, nb::arg("schema"), nb::arg("n_rows"), nb::arg("options"))
      .def("add", add_to_survey, nb::arg("rows"), nb::arg("first_row"), nb::arg("threads") = 1U)
      .def("merge", &Survey::merge, nb::arg("other"))
      .def_prop_ro("n_added", &Survey::n_added)
      .def("to_bytes", bytes_of<Survey>)
      .def_static("from_bytes", part_of<Survey>, nb::arg("bytes"))
      .def("__getstate__", bytes_of<Survey>)
      .def("__setstate__", set_state<Survey>);
  nb::class_<Marks>(module, "Marks", "Rare values that occur together in rows.")
      .def("merge", &Marks::merge, nb::arg("other"))
      .def("to_bytes", bytes_of<Marks>)
      .def_static("from_bytes", part_of<Marks>, nb::arg("bytes"))
      .def("__getstate__", bytes_of<Marks>)
      .def("__setstate__", set_state<Marks>);
  nb::class_<GrownForest>(module, "GrownForest", "The trees of a fit whose rows are not counted yet.")
      .def_prop_ro("needs_marks", &GrownForest::needs_marks)
      .def_prop_ro("n_counts", &GrownForest::n_counts)
      .def_prop_ro("n_sums", &GrownForest::n_sums)
      .def("marks", marks_of, nb::arg("rows"), nb::arg("first_row"), nb::arg("threads") = 1U)
      .def(
          "with_marks",
          [](const GrownForest& forest, const Marks& marks, const Survey& survey) {
            const nb::gil_scoped_release unlocked;
            return forest.with_marks(marks, survey);
          },
          nb::arg("marks"), nb::arg("survey"))
      .def("count", count, nb::arg("rows"), nb::arg("threads") = 1U)
      .def("finish", finish, nb::arg("counts"), nb::arg("survey"))
      .def("to_bytes", bytes_of<GrownForest>)
      .def_static("from_bytes", part_of<GrownForest>, nb::arg("bytes"))
      .def("__getstate__", bytes_of<GrownForest>)
      .def("__setstate__", set_state<GrownForest>);
  module.def("grow", grow, nb::arg("survey"), nb::arg("threads") = 0U, nb::arg("on_progress").none() = nb::none());
}

}  // namespace pidforest::python
