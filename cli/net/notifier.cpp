// SPDX-License-Identifier: Apache-2.0
#include "net/notifier.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace pidforest::cli {

namespace {

constexpr std::size_t most_waiting = 256;
constexpr std::chrono::seconds longest_end(5);
constexpr std::array<std::chrono::milliseconds, 2> pauses{std::chrono::seconds(1), std::chrono::seconds(2)};

bool is_worth_retrying(const HttpAnswer& answer) {
  return answer.status == 0 || answer.status == 408 || answer.status == 429 || answer.status >= 500;
}

}  // namespace

Notifier::Notifier(const HttpModule& http, WebAddress address)
    : http_(http), address_(std::move(address)), thread_([this] { work(); }) {}

Notifier::~Notifier() {
  finish();
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Notifier::send(std::string json) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() < most_waiting) {
      waiting_.push_back(std::move(json));
      changed_.notify_all();
      return;
    }
  }
  drop(fmt::format("{} messages are waiting", most_waiting));
}

void Notifier::finish() {
  std::unique_lock lock(mutex_);
  const auto is_done = [this] { return waiting_.empty() && !is_sending_; };
  if (changed_.wait_for(lock, longest_end, is_done)) return;
  const std::size_t n_left = waiting_.size();
  waiting_.clear();
  cancel_ = true;
  changed_.notify_all();
  lock.unlock();
  for (std::size_t i = 0; i < n_left; ++i) drop(fmt::format("it was not done {} s after the end", longest_end.count()));
  lock.lock();
  changed_.wait(lock, is_done);
}

std::optional<std::string> Notifier::take_trouble() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(trouble_, std::nullopt);
}

void Notifier::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::string json = std::move(waiting_.front());
    waiting_.pop_front();
    is_sending_ = true;
    lock.unlock();
    deliver(json);
    lock.lock();
    is_sending_ = false;
    changed_.notify_all();
  }
}

void Notifier::deliver(const std::string& json) {
  HttpRequest request{.url = address_.url(), .body = json, .content_type = "application/json"};
  request.user = address_.user();
  request.password = address_.password();
  request.cancel = &cancel_;
  for (std::size_t i = 0;; ++i) {
    const HttpAnswer answer = http_.send(request);
    if (answer.is_success()) return;
    if (cancel_) return drop(fmt::format("it was not done {} s after the end", longest_end.count()));
    if (!is_worth_retrying(answer) || i == pauses.size() || !pause(pauses.at(i)))
      return drop(answer.status == 0 ? answer.error : fmt::format("it answered with HTTP {}", answer.status));
  }
}

/// False if the end came first.
bool Notifier::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return cancel_.load(); });
}

void Notifier::drop(const std::string& why) {
  ++n_dropped_;
  const std::scoped_lock lock(mutex_);
  if (std::exchange(had_trouble_, true)) return;
  trouble_ = fmt::format("the webhook {} did not take a message, which is dropped: {}. Later ones are only counted",
                         address_.shown(), why);
}

}  // namespace pidforest::cli
