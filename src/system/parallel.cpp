// SPDX-License-Identifier: Apache-2.0
#include "system/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "pidforest/error.h"

namespace pidforest::system {

unsigned threads_for(const Run& run, std::size_t n) {
  const unsigned wanted = run.threads > 0 ? run.threads : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(n, 1, wanted));
}

void check_cancelled(const Run& run) {
  if (run.cancel != nullptr && run.cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

void parallel_for(std::size_t n, const Run& run, std::string_view stage,
                  const std::function<void(std::size_t, unsigned)>& body) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::exception_ptr first_error;
  std::mutex error_lock;

  const auto work = [&](unsigned worker) {
    try {
      for (std::size_t i = next++; i < n; i = next++) {
        check_cancelled(run);
        body(i, worker);
        const std::size_t now_done = ++done;
        if (worker == 0 && run.on_progress && now_done < n) run.on_progress({stage, now_done, n});
      }
    } catch (...) {
      next = n;  // the others stop after the iteration they are at
      const std::lock_guard lock(error_lock);
      if (!first_error) first_error = std::current_exception();
    }
  };

  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < threads_for(run, n); ++worker) {
      try {
        others.emplace_back(work, worker);
      } catch (const std::system_error&) {
        break;  // no more threads to be had: fewer do the same work
      }
    }
    work(0);
  }
  if (first_error) std::rethrow_exception(first_error);
  if (run.on_progress) run.on_progress({stage, n, n});
}

}  // namespace pidforest::system
