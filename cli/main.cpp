// SPDX-License-Identifier: Apache-2.0
// The command `pidforest`: one verb per file, and the exit code for everything that can go wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "interrupt.h"
#include "output.h"
#include "pidforest/error.h"
#include "printable.h"
#include "verbs.h"

namespace pidforest::cli {

namespace {

enum ExitCode : std::uint8_t {
  done = 0,
  internal = 1,
  asked_wrongly = 2,
  bad_data = 3,
  bad_model_file = 4,
  file_trouble = 5,
  out_of_memory = 6,
  interrupted = 130
};

ExitCode complain(ExitCode code, const std::string& message) {
  std::fputs(("pidforest: " + printable(message) + "\n").c_str(), stderr);
  return code;
}

/// Says on the standard error what the exception in flight is about.
ExitCode explain_failure() {
  try {
    throw;
  } catch (const InvalidOption& error) {
    return complain(asked_wrongly, error.what());
  } catch (const InvalidInput& error) {
    return complain(bad_data, error.what());
  } catch (const BadFile& error) {
    return complain(bad_model_file, error.what());
  } catch (const Cancelled&) {
    return complain(interrupted, "interrupted.");
  } catch (const PipeClosed&) {
    return done;
  } catch (const FileError& error) {
    return complain(file_trouble, error.what());
  } catch (const std::bad_alloc&) {
    std::fputs("pidforest: out of memory.\n", stderr);
    return out_of_memory;
  } catch (const std::exception& error) {
    return complain(internal, fmt::format("internal error: {}. Please report it.", error.what()));
  }
}

std::string lacks_verb(const CLI::App& app, const std::string& first_word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  return fmt::format("the first word must be one of {}; got {}. See --help.", fmt::join(verbs, ", "), first_word);
}

/// Help and version count as errors to CLI11, with code 0.
ExitCode answer(const CLI::App& app, const CLI::ParseError& error, const std::string& first_word) {
  std::ostringstream help;
  std::ostringstream words;
  if (app.exit(error, help, words) == 0) {
    write_stdout(help.str());
    return done;
  }
  if (app.get_subcommands().empty()) return complain(asked_wrongly, lacks_verb(app, first_word));
  const std::string message = error.what();
  return complain(asked_wrongly, fmt::format("{}{} See --help.", message, message.ends_with('.') ? "" : "."));
}

ExitCode run(int argc, const char* const* argv) {
  watch_signals();
  CLI::App app("Find anomalies by partial identification (PIDForest)", "pidforest");
  app.set_version_flag("--version", "pidforest " PIDFOREST_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  pidforest detect examples/fleet.csv --label fault");
  add_detect(app);
  add_schema(app);
  add_options(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer(app, error, argc > 1 ? argv[1] : "nothing");
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
