// SPDX-License-Identifier: Apache-2.0
// The rows that a witness holds in addition to the one that it was found for.
#pragma once

#include <cstddef>

#include "pidforest/explain.h"

namespace pidforest::explain {

/// Sets the first `most` impostors of each row in one pass over the reference.
void find_impostors(const Explainer& explainer, const Scores& scores, std::size_t most, Findings& found,
                    const Run& run);

}  // namespace pidforest::explain
