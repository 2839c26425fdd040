// SPDX-License-Identifier: Apache-2.0
#include "out/interrupt.h"

#include <csignal>

namespace pidforest::cli {

namespace {

std::atomic<bool> interrupted = false;
std::atomic<bool> terminated = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

}  // namespace

void watch_signals() {
  struct sigaction on_interrupt = {};
  on_interrupt.sa_handler = [](int) { interrupted = true; };
  // Without SA_RESTART, a blocked read returns and the flag is checked.
  on_interrupt.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &on_interrupt, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void watch_termination() {
  struct sigaction on_termination = {};
  on_termination.sa_handler = [](int) { terminated = interrupted = true; };
  on_termination.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGTERM, &on_termination, nullptr);
}

bool was_terminated() { return terminated; }

const std::atomic<bool>& interrupt_flag() { return interrupted; }

}  // namespace pidforest::cli
