// SPDX-License-Identifier: Apache-2.0
#include "out/work.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "flags/option_flags.h"
#include "out/interrupt.h"
#include "out/printable.h"
#include "pidforest/error.h"

namespace pidforest::cli {

void add_run_flags(CLI::App& verb, RunFlags& flags) {
  verb.add_option("--threads", flags.threads,
                  "number of threads; does not change the result; 0 is one per processor; default 0")
      ->type_name("N")
      ->check(whole_number(0, 1024));
  verb.add_flag("--quiet", flags.quiet, "print only results and errors");
}

Work::Work(const RunFlags& flags)
    : quiet_(flags.quiet),
      line_(flags.quiet),
      run_{.threads = flags.threads, .cancel = &interrupt_flag(), .on_progress = [this](const Progress& progress) {
             show(progress);
           }} {}

Run Work::silent_run() const { return {.threads = run_.threads, .cancel = run_.cancel, .on_progress = nullptr}; }

void Work::say(const std::string& words) {
  if (quiet_) return;
  line_.clear();
  std::fputs((printable(words) + "\n").c_str(), stderr);
}

void Work::end_progress() {
  line_.clear();
  if (*run_.cancel) throw Cancelled();
}

}  // namespace pidforest::cli
