// SPDX-License-Identifier: Apache-2.0
// The flags that the state of a stream is bound to: a run with other values must not resume from it.
#pragma once

#include <map>
#include <string>

#include "verbs/stream_request.h"

namespace pidforest::cli {

/// All declared flags with their values, except flags that may change while a stream goes on.
std::map<std::string, std::string> setting_of(const StreamRequest& request);

/// Throws InvalidOption, which names the flags that differ, unless the state file `path` was written with the flags of
/// this run.
void check_setting(const std::map<std::string, std::string>& written, const StreamRequest& request,
                   const std::string& path);

}  // namespace pidforest::cli
