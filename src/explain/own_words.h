// SPDX-License-Identifier: Apache-2.0
// A row's own values where its witness sets conditions, in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/time_column.h"

namespace pidforest::explain {

/// Reads the values of a table's rows. Views the table and the schema.
class OwnWords {
 public:
  OwnWords(const Table& table, const Schema& schema);

  /// As pidforest::own_values.
  [[nodiscard]] std::vector<std::string> of(const Witness& witness, std::size_t row) const;

 private:
  /// The column of the table behind one of the schema, if there is one.
  struct Source {
    const Column* column = nullptr;
    std::optional<schema::TimeReader> times = {};
  };

  [[nodiscard]] std::string of(const Condition& condition, std::size_t row) const;

  const Schema& schema_;
  std::vector<Source> sources_;
};

}  // namespace pidforest::explain
