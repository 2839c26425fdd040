// SPDX-License-Identifier: Apache-2.0
#include "run.h"

namespace nb = nanobind;

namespace pidforest::python {

Run run_of(std::size_t n_rows, unsigned threads, const nb::object& on_progress) {
  constexpr std::size_t few_rows = 1024;
  Run run{.threads = threads};
  if (n_rows <= few_rows && on_progress.is_none()) return run;
  run.on_progress = [&on_progress](const Progress& progress) {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!on_progress.is_none())
      on_progress(nb::str(progress.stage.data(), progress.stage.size()), progress.done, progress.total);
  };
  return run;
}

}  // namespace pidforest::python
