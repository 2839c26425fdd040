// SPDX-License-Identifier: Apache-2.0
#include "witnesses.h"

#include <nanobind/stl/string.h>

#include <string>

#include "bindings.h"

namespace nb = nanobind;

namespace pidforest::python {

namespace {

const Witness& at(const Witnesses& witnesses, std::size_t i) {
  if (i >= witnesses.list.size()) throw nb::index_error();
  return witnesses.list[i];
}

}  // namespace

SqlDialect dialect_of(const std::string& name) {
  if (name == "standard") return SqlDialect::standard;
  if (name == "sqlite") return SqlDialect::sqlite;
  throw nb::value_error(("dialect must be 'standard' or 'sqlite'; got '" + name + "'.").c_str());
}

void bind_witnesses(nb::module_& module) {
  nb::class_<Witnesses>(module, "Witnesses", "Cubes with the rows they hold.")
      .def("__len__", [](const Witnesses& witnesses) { return witnesses.list.size(); })
      .def(
          "words",
          [](const Witnesses& witnesses, std::size_t i) {
            const Witness& witness = at(witnesses, i);
            return witnesses.reasons.empty() ? to_words(witness, witnesses.schema) : witnesses.reasons[i];
          },
          nb::arg("i"))
      .def(
          "json", [](const Witnesses& witnesses, std::size_t i) { return to_json(at(witnesses, i)); }, nb::arg("i"))
      .def(
          "sql",
          [](const Witnesses& witnesses, std::size_t i, const std::string& dialect) {
            return to_sql(at(witnesses, i).conditions, witnesses.schema, dialect_of(dialect));
          },
          nb::arg("i"), nb::arg("dialect"));
}

}  // namespace pidforest::python
