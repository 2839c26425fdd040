// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a flag that the library looks at.
#pragma once

#include <atomic>

namespace pidforest::cli {

/// From now on SIGINT raises the flag and a second one ends the process; a closed pipe becomes an error of `write`.
void watch_signals();

/// From now on SIGTERM raises the flag too: for work that has something to save.
void watch_termination();
/// Whether it was SIGTERM.
bool was_terminated();

/// True once SIGINT has come, or SIGTERM if that is watched.
const std::atomic<bool>& interrupt_flag();

}  // namespace pidforest::cli
