// SPDX-License-Identifier: Apache-2.0
// The extension module pidforest._core: the library as Python sees it. It holds no logic of its own; the user interface
// is in python/pidforest.
//
// nanobind keeps its types for the whole process. A second interpreter would overwrite them, so an import there must be
// refused before nanobind begins.
#include <nanobind/nanobind.h>

#include <cerrno>
#include <exception>

#include "bindings.h"
#include "pidforest/error.h"

namespace nb = nanobind;

namespace {

/// The class of Python's exception for an errno.
PyObject* class_of(int code) {
  switch (code) {
    case ENOENT:
      return PyExc_FileNotFoundError;
    case EISDIR:
      return PyExc_IsADirectoryError;
    case EACCES:
    case EPERM:
      return PyExc_PermissionError;
    default:
      return PyExc_OSError;
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const pidforest::FileError& error) {
    PyErr_SetString(class_of(error.code()), error.what());
  } catch (const pidforest::Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

/// The numbers of interpreters begin with that of the main one.
bool is_main_interpreter() { return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0; }

}  // namespace

NB_MODULE(main_interpreter_core, module) {
  module.doc() = "The library that pidforest is made of. Use the classes of pidforest instead.";
  module.attr("version") = PIDFOREST_VERSION;
  nb::register_exception_translator(translate);
  pidforest::python::bind_options(module);
  pidforest::python::bind_rows(module);
  pidforest::python::bind_witnesses(module);
  pidforest::python::bind_model(module);
  pidforest::python::bind_findings(module);
  pidforest::python::bind_changes(module);
  pidforest::python::bind_parts(module);
  pidforest::python::bind_exact(module);
  pidforest::python::bind_series(module);
  pidforest::python::bind_report(module);
  pidforest::python::bind_stream(module);
}

extern "C" NB_EXPORT PyObject* PyInit__core() {  // NOLINT(bugprone-reserved-identifier): Python's name for it
  if (is_main_interpreter()) return PyInit_main_interpreter_core();
  PyErr_SetString(PyExc_ImportError,
                  "pidforest can be used in the main interpreter of a process only; this is a subinterpreter.");
  return nullptr;
}
