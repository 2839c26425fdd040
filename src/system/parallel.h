// SPDX-License-Identifier: Apache-2.0
// A loop whose iterations are shared among threads: carries exceptions home, can be cancelled, reports progress.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "pidforest/options.h"

namespace pidforest::system {

/// The number of threads that `parallel_for` uses for `n` iterations.
unsigned threads_for(const Run& run, std::size_t n);

/// Calls body(i, worker) once for each i < n, in any order; worker < threads_for(run, n) and no two calls with the same
/// worker overlap. Throws the first exception that a body threw, or Cancelled. The threads are started for this call
/// and gone after it, so that a forked child never waits for threads it does not have.
void parallel_for(std::size_t n, const Run& run, std::string_view stage,
                  const std::function<void(std::size_t i, unsigned worker)>& body);

/// Throws Cancelled if the run's flag is up.
void check_cancelled(const Run& run);

}  // namespace pidforest::system
