// SPDX-License-Identifier: Apache-2.0
// The past of a stream as lines: those of a text file, or rows of Parquet files or of a query as JSON lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "in/table_flags.h"
#include "out/work.h"

namespace pidforest::cli {

/// Calls `visit` with each line and its number, from 1. Missing values are null, and times are written as
/// 2026-03-02 08:16:00, with a Z after them if they are UTC. Throws InvalidOption, FileError, InvalidInput or
/// Cancelled, and what `visit` throws.
void for_each_line_of_history(const TableFlags& history, Work& work,
                              const std::function<void(std::string_view line, std::uint64_t number)>& visit);

}  // namespace pidforest::cli
