// SPDX-License-Identifier: Apache-2.0
// Rises: by how much a column rose over the last few samples of a window.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pidforest/schema.h"

namespace pidforest::series {

/// Over how many samples the rises of a window are: 1 to 8, but fewer than the window has.
std::vector<std::size_t> rise_spans(std::size_t window);

/// The column that holds the rises of another one over a span: "rise of cpu within 4 samples", "rise of cpu within 20
/// min".
ColumnSchema rise_column(const ColumnSchema& column, const std::string& span);

}  // namespace pidforest::series
