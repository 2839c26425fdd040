// SPDX-License-Identifier: Apache-2.0
// Options as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "pidforest/options.h"

namespace pidforest::cli {

/// Every option by name: a number, or the word that stands for it.
nlohmann::ordered_json options_as_json(const Options& options);

}  // namespace pidforest::cli
