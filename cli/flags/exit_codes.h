// SPDX-License-Identifier: Apache-2.0
// What the command's exit codes mean.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pidforest::cli {

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

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeMeaning, 8> exit_codes{{
    {done, "done; also when the reader of the output has closed the pipe"},
    {internal, "an internal error: please report it"},
    {asked_wrongly, "asked wrongly: a verb, flag or option that cannot be"},
    {bad_data, "bad data: the message says where"},
    {bad_model_file, "a model file that is damaged, of a later format, or none at all"},
    {file_trouble, "a file that cannot be read or written"},
    {out_of_memory, "out of memory"},
    {interrupted, "interrupted by Ctrl-C"},
}};

}  // namespace pidforest::cli
