// SPDX-License-Identifier: Apache-2.0
// Columns that flags name: the label, and those to carry.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::cli {

/// Throws InvalidInput that names the flag and the columns there are.
const Column& column_of(const Table& table, const std::string& name, std::string_view flag);

/// Appends whether each row is called an anomaly: 1, or 0 if not. `labels` holds those of the rows before. Throws
/// InvalidInput for anything else.
void append_labels(const Column& column, std::size_t n_rows, std::vector<bool>& labels);

/// A value as the file has it, or the shortest text of a number; empty if it is missing.
std::string text_of(const Column& column, std::size_t row);

}  // namespace pidforest::cli
