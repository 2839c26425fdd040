// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module, one per file.
#pragma once

#include <nanobind/nanobind.h>

namespace pidforest::python {

void bind_options(nanobind::module_& module);
void bind_rows(nanobind::module_& module);
void bind_witnesses(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_findings(nanobind::module_& module);
void bind_changes(nanobind::module_& module);
void bind_parts(nanobind::module_& module);
void bind_exact(nanobind::module_& module);
void bind_series(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_stream(nanobind::module_& module);

}  // namespace pidforest::python
