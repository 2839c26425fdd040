// SPDX-License-Identifier: Apache-2.0
// Columns named by flags: the label and the row identifier.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::cli {

/// Throws InvalidInput that names the flag and the available columns.
const Column& column_of(const Table& table, const std::string& name, std::string_view flag);

/// Appends the label of each row: 1 for an anomaly, else 0. `labels` has the labels of the earlier rows. Throws
/// InvalidInput for any other value.
void append_labels(const Column& column, std::size_t n_rows, std::vector<bool>& labels);

/// A value as written in the file, the shortest text of a number, "true" or "false", or a time such as 2026-11-16 08:30
/// (with a Z unless it is local); empty if it is missing.
std::string text_of(const Column& column, std::size_t row);

}  // namespace pidforest::cli
