// SPDX-License-Identifier: Apache-2.0
// Which columns of a row are worth a word.
#pragma once

#include "pidforest/explain.h"

namespace pidforest::explain {

/// Whether a column gives at least half a bit, and at least 15 % of the row's bits.
bool is_worth_a_word(const ColumnBits& column, double bits);

}  // namespace pidforest::explain
