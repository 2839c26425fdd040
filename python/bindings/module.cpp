// SPDX-License-Identifier: Apache-2.0
// The extension module pidforest._core: the library as Python sees it. It holds no logic of its own; the user interface
// is in python/pidforest.
#include <nanobind/nanobind.h>

#include <exception>

#include "bindings.h"
#include "pidforest/error.h"

namespace nb = nanobind;

namespace {

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const pidforest::FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const pidforest::Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The library that pidforest is made of. Use the classes of pidforest instead.";
  module.attr("version") = PIDFOREST_VERSION;
  nb::register_exception_translator(translate);
  pidforest::python::bind_options(module);
  pidforest::python::bind_rows(module);
  pidforest::python::bind_witnesses(module);
  pidforest::python::bind_model(module);
  pidforest::python::bind_findings(module);
  pidforest::python::bind_exact(module);
  pidforest::python::bind_series(module);
  pidforest::python::bind_report(module);
  pidforest::python::bind_stream(module);
}
