// SPDX-License-Identifier: Apache-2.0
#include "in/watch.h"

#include <chrono>
#include <utility>

namespace pidforest::cli {

Watch::Watch(const Run& run, std::function<void()> act)
    : run_(run), act_(std::move(act)), thread_([this] { wait(); }) {}

Watch::~Watch() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

/// A signal handler cannot notify, so the flag is read now and then.
void Watch::wait() {
  constexpr std::chrono::milliseconds between(50);
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, between, [this] { return is_over_; }))
    if (run_.cancel != nullptr && *run_.cancel) return act_();
}

}  // namespace pidforest::cli
