// SPDX-License-Identifier: Apache-2.0
// Runs work for Python: with its lock released, so that other threads continue, and interruptible by its signals.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

#include "pidforest/options.h"

namespace pidforest::python {

/// Runs on `threads` threads (0: one per processor). `on_progress` is None or is called with (stage, done, total); it
/// must outlive the run. Ctrl-C and exceptions from `on_progress` stop the work. Without `on_progress`, signals are not
/// checked if there are few rows.
Run run_of(std::size_t n_rows, unsigned threads, const nanobind::object& on_progress);
/// A temporary would not outlive the run.
Run run_of(std::size_t n_rows, unsigned threads, nanobind::object&& on_progress) = delete;

}  // namespace pidforest::python
