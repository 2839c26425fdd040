// SPDX-License-Identifier: Apache-2.0
// The exit codes of the command and their meanings.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <string_view>

namespace pidforest::cli {

enum ExitCode : std::uint8_t {
  done = 0,
  internal = 1,
  usage_error = 2,
  bad_data = 3,
  bad_model_file = 4,
  file_error = 5,
  out_of_memory = 6,
  anomalies_found = 10,
  interrupted = 130
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeMeaning, 9> exit_codes{{
    {done, "success; also if the reader of the output closed the pipe"},
    {internal, "internal error: please report it"},
    {usage_error, "usage error: unknown command or flag, or invalid value"},
    {bad_data, "invalid data: the message says where"},
    {bad_model_file, "invalid model file: damaged, written by a later version, or not a model file"},
    {file_error, "file error: a file cannot be read or written"},
    {out_of_memory, "out of memory"},
    {anomalies_found, "with --fail-on-anomaly or --fail-on-change: an anomaly, or a change; the output is complete"},
    {interrupted, "interrupted by Ctrl-C"},
}};

/// Ends a verb whose output is complete, with the exit code of --fail-on-anomaly.
class AnomaliesFound : public std::exception {};

}  // namespace pidforest::cli
