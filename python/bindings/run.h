// SPDX-License-Identifier: Apache-2.0
// How Python has work run: with its lock released, so that other threads of it go on, and stopped by its signals.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

#include "pidforest/options.h"

namespace pidforest::python {

/// Runs on `threads` threads (0: one per processor). `on_progress` is None or is called with (stage, done, total); it
/// must outlive the run. Ctrl-C and what `on_progress` raises stop the work. Few rows are done before anyone could ask.
Run run_of(std::size_t n_rows, unsigned threads, const nanobind::object& on_progress);

}  // namespace pidforest::python
