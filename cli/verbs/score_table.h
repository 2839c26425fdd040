// SPDX-License-Identifier: Apache-2.0
// Writes scores to a table of a database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "in/database_address.h"
#include "out/row_numbers.h"
#include "out/work.h"
#include "pidforest/explain.h"

namespace pidforest::cli {

class ScoreTable {
 public:
  struct Place {
    DatabaseAddress address;
    /// As --driver gives it; empty: the one that is installed.
    std::string driver;
    std::string name;
    /// Whether a table of this name may exist, and is dropped.
    bool replaces = false;
  };
  /// Throws InvalidInput if the table exists and is not to be replaced, before any work is done; FileError.
  ScoreTable(Place place, Work& work);

  struct Columns {
    /// The column that names rows; empty: their number, from 1.
    std::string id;
    RowNumbers numbers;
    AnomalyRule rule;
    /// One per row; empty if there is none.
    std::vector<std::string> reasons;
  };
  /// Writes a row for each score in one transaction, and says how many. Returns the number of anomalies. Throws
  /// InvalidInput, FileError or Cancelled; the database is then unchanged.
  std::uint64_t write(const Scores& scores, const Columns& columns, Work& work) const;

 private:
  Place place_;
};

}  // namespace pidforest::cli
