// SPDX-License-Identifier: Apache-2.0
// Sends what a stream finds to a webhook, beside the stream.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "net/http.h"
#include "net/web_address.h"

namespace pidforest::cli {

/// Never waits for the webhook, except at the end, and never throws because of it. A message is tried three times, with
/// pauses of 1 and 2 seconds in between; an answer other than 2xx, 408, 429 and 5xx drops it at once. At most 256
/// messages wait; later ones are dropped.
class Notifier {
 public:
  Notifier(const HttpModule& http, WebAddress address);
  /// Waits for at most five seconds for messages that were not sent.
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;
  Notifier(Notifier&&) = delete;
  Notifier& operator=(Notifier&&) = delete;

  void send(std::string json);
  /// Waits for at most five seconds until all messages were sent or dropped, and drops the rest.
  void finish();

  /// Why the first message was dropped; nullopt before, and when it was said.
  std::optional<std::string> take_trouble();
  [[nodiscard]] std::uint64_t n_dropped() const { return n_dropped_; }

 private:
  void work();
  void deliver(const std::string& json);
  void drop(const std::string& why);
  bool pause(std::chrono::milliseconds time);

  const HttpModule& http_;
  const WebAddress address_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  bool is_sending_ = false;
  bool is_over_ = false;
  std::atomic<bool> cancel_ = false;
  std::atomic<std::uint64_t> n_dropped_ = 0;
  std::optional<std::string> trouble_;
  bool had_trouble_ = false;
  std::thread thread_;
};

}  // namespace pidforest::cli
