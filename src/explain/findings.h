// SPDX-License-Identifier: Apache-2.0
// Steps of finding anomalies that reports need by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pidforest/explain.h"

namespace pidforest::explain {

/// The numbers of the `n` rarest rows that have a score and are not suppressed, the rarest first.
std::vector<std::uint64_t> rarest_rows(const Scores& scores, std::size_t n);

/// The columns that contribute to a row, in the order of Finding::columns, without values. `bits` has one element per
/// column of the schema.
std::vector<ColumnBits> columns_with_bits(std::span<const double> bits, const Witness& witness, const Schema& schema);

/// Sorts rows by what gives them their scores, and copies the values of that.
TableStore scored_values(const Scores& scores, std::vector<std::uint64_t>& rows);

}  // namespace pidforest::explain
