// SPDX-License-Identifier: Apache-2.0
// Writes scores to a table of a database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "in/database_address.h"
#include "out/work.h"
#include "pidforest/explain.h"
#include "pidforest/model.h"

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
    std::optional<double> min_bits;
    /// The column that names rows; empty: their number, from 1.
    std::string id;
  };
  /// Writes a row for each score, with the reason of each anomaly, in one transaction. Says how many. Throws
  /// InvalidInput, FileError or Cancelled; the database is then unchanged.
  void write(const Scores& scores, const Model& model, const Columns& columns, Work& work) const;

 private:
  Place place_;
};

}  // namespace pidforest::cli
