// SPDX-License-Identifier: Apache-2.0
// The command `pidforest`: one verb per file, and the exit code for everything that can go wrong.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "flags/config_file.h"
#include "flags/exit_codes.h"
#include "flags/help_format.h"
#include "flags/unknown_words.h"
#include "out/interrupt.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

/// Memory may be lacking before main() begins, where CLI11 makes its validators, or while a message is written.
[[noreturn]] void end_without_handler() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    std::fputs("pidforest: out of memory.\n", stderr);
    _exit(out_of_memory);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pidforest: internal error: %s. Please report it.\n", error.what());
  }
  std::abort();
}

/// Runs before the initialization of all other files.
__attribute__((constructor(101))) void handle_the_unhandled() { std::set_terminate(end_without_handler); }

ExitCode complain(ExitCode code, const std::string& message) {
  std::fputs(("pidforest: " + printable(message) + "\n").c_str(), stderr);
  return code;
}

/// Prints the message of the exception in flight to standard error and returns its exit code.
ExitCode explain_failure() {
  try {
    throw;
  } catch (const InvalidOption& error) {
    return complain(usage_error, error.what());
  } catch (const InvalidInput& error) {
    return complain(bad_data, error.what());
  } catch (const BadFile& error) {
    return complain(bad_model_file, error.what());
  } catch (const Cancelled&) {
    return complain(interrupted, "interrupted.");
  } catch (const PipeClosed&) {
    return done;
  } catch (const AnomaliesFound&) {
    return anomalies_found;
  } catch (const FileError& error) {
    return complain(file_error, error.what());
  } catch (const std::bad_alloc&) {
    std::fputs("pidforest: out of memory.\n", stderr);
    return out_of_memory;
  } catch (const std::exception& error) {
    return complain(internal, fmt::format("internal error: {}. Please report it.", error.what()));
  }
}

/// Help and version count as errors to CLI11, with code 0.
ExitCode answer(const CLI::App& app, const CLI::ParseError& error, const ConfiguredWords& configured) {
  const std::string first_word = configured.words().empty() ? "" : configured.words().front();
  std::ostringstream help;
  std::ostringstream words;
  if (app.exit(error, help, words) == 0) {
    write_stdout(help.str());
    return done;
  }
  if (app.get_subcommands().empty()) return complain(usage_error, unknown_verb_words(app, first_word));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return complain(usage_error, unknown_argument_words(app));
  const std::string message = configured.with_place(error.what());
  return complain(usage_error, fmt::format("{}{} See --help.", message, message.ends_with('.') ? "" : "."));
}

std::string footer() {
  std::string text = "Exit codes:\n";
  for (const auto& [code, meaning] : exit_codes) text += fmt::format("  {:<4}{}\n", int{code}, meaning);
  return text + "\nExample:\n  pidforest detect examples/fleet.csv --label fault";
}

void add_verbs(CLI::App& app) {
  add_detect(app);
  add_fit(app);
  add_score(app);
  add_explain(app);
  add_report(app);
  add_compare(app);
  add_stream(app);
  add_prometheus(app);
  add_inspect(app);
  add_exact(app);
  add_schema(app);
  add_options(app);
  add_config(app);
  add_completion(app);
  add_man(app);
  add_help(app);
}

ExitCode run(int argc, const char* const* argv) {
  watch_signals();
  CLI::App app("Find anomalies by partial identification (PIDForest)", "pidforest");
  app.set_version_flag("--version", "pidforest " PIDFOREST_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormat>());
  app.footer(footer());
  add_verbs(app);
  const ConfiguredWords configured(app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  std::vector<const char*> words(argv, argv + std::min(argc, 1));
  for (const std::string& word : configured.words()) words.push_back(word.c_str());
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    return answer(app, error, configured);
  } catch (const InvalidOption& error) {
    throw InvalidOption(configured.with_place(error.what()));
  }
  return done;
}

}  // namespace

}  // namespace pidforest::cli

int main(int argc, char** argv) {
  try {
    return pidforest::cli::run(argc, argv);
  } catch (...) {
    return pidforest::cli::explain_failure();
  }
}
