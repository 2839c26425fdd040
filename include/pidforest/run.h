// SPDX-License-Identifier: Apache-2.0
// How to run, as opposed to what to compute: nothing here ever changes a result.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

namespace pidforest {

/// One step of a long piece of work: `done` of `total` units of `stage` are finished.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

struct Run {
  /// Number of threads; 0 means one per processor.
  unsigned threads = 0;
  /// Raise this from anywhere (a signal handler too) to stop with `Cancelled` soon after.
  const std::atomic<bool>* cancel = nullptr;
  /// Called on the calling thread only, now and then and at the end of each stage. What it throws stops the work and
  /// reaches the caller.
  std::function<void(const Progress&)> on_progress = nullptr;
};

}  // namespace pidforest
