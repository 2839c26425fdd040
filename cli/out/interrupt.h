// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a flag that the library polls.
#pragma once

#include <atomic>

namespace pidforest::cli {

/// Installs handlers: SIGINT raises the flag, a second SIGINT ends the process, a closed pipe and a file beyond
/// the process's limit become errors of `write`.
void watch_signals();

/// Lets SIGTERM raise the flag too, for work that saves its state.
void watch_termination();
/// Whether SIGTERM raised the flag.
bool was_terminated();

/// True once SIGINT was received, or SIGTERM if that is watched.
const std::atomic<bool>& interrupt_flag();

}  // namespace pidforest::cli
