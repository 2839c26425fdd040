// SPDX-License-Identifier: Apache-2.0
// Which anomalies share a reason.
#pragma once

#include <cstdint>
#include <vector>

#include "pidforest/explain.h"

namespace pidforest::explain {

/// The witness that each explained row shares with others, by its place in `explained`. The witness that holds most
/// rows takes all that it holds; then the one that holds most of the rest, and so on. All rows that no witness with
/// conditions holds share one without.
std::vector<std::uint32_t> share_witnesses(const Schema& schema, const Batches& rows, const Explanations& explained);

}  // namespace pidforest::explain
