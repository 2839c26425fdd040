// SPDX-License-Identifier: Apache-2.0
// A running piece of work: it stops on Ctrl-C, shows its progress and prints messages.
#pragma once

#include <string>

#include "out/progress_line.h"
#include "pidforest/options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace pidforest::cli {

struct RunFlags {
  unsigned threads = 0;
  bool quiet = false;
};

/// Adds --threads and --quiet to a verb; `flags` must live as long as it does.
void add_run_flags(CLI::App& verb, RunFlags& flags);

class Work {
 public:
  explicit Work(const RunFlags& flags);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  Work(Work&&) = delete;
  Work& operator=(Work&&) = delete;
  ~Work() = default;

  [[nodiscard]] const Run& run() const { return run_; }
  /// `run()` without progress, for steps of a longer stage.
  [[nodiscard]] Run silent_run() const;
  void show(const Progress& progress, Unit unit = Unit::pieces) { line_.show(progress, unit); }
  /// Prints a message to standard error; nothing with --quiet.
  void say(const std::string& words);
  /// Call before results are written: removes the progress line, and throws Cancelled after Ctrl-C.
  void end_progress();

 private:
  bool quiet_;
  ProgressLine line_;
  Run run_;
};

}  // namespace pidforest::cli
