// SPDX-License-Identifier: Apache-2.0
// The flag --dialect: the SQL dialect of reasons.
#pragma once

#include <fmt/format.h>

#include <string>

#include "pidforest/error.h"
#include "pidforest/explain.h"

namespace pidforest::cli {

/// Throws InvalidOption.
inline SqlDialect sql_dialect(const std::string& flag) {
  if (flag == "standard") return SqlDialect::standard;
  if (flag == "sqlite") return SqlDialect::sqlite;
  throw InvalidOption(fmt::format("--dialect must be standard or sqlite; got {}.", flag));
}

}  // namespace pidforest::cli
