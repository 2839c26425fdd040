// SPDX-License-Identifier: Apache-2.0
// Why a row is rare, in words.
#pragma once

#include <string>

#include "pidforest/model.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that make up most of the bits of a table's only row, at
/// most three, with the row's values. Safe to show.
std::string reason_of(const Model& model, const Table& row, double bits);

}  // namespace pidforest::cli
