// SPDX-License-Identifier: Apache-2.0
// A reason in a few words.
#pragma once

#include <string>

#include "pidforest/explain.h"

namespace pidforest::cli {

/// "memory > 70.7 and disk_queue > 3: 3 rows, 518 expected". Safe to show.
std::string few_words_of(const Witness& witness, const Schema& schema);

}  // namespace pidforest::cli
