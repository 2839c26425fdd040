// SPDX-License-Identifier: Apache-2.0
// Acts on Ctrl-C while another program's function keeps the main thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "pidforest/options.h"

namespace pidforest::cli {

class Watch {
 public:
  /// Calls `act` on a thread of its own, once, soon after `run.cancel` is raised. Both must outlive this.
  Watch(const Run& run, std::function<void()> act);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  Watch(Watch&&) = delete;
  Watch& operator=(Watch&&) = delete;

 private:
  void wait();

  const Run& run_;
  std::function<void()> act_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace pidforest::cli
