// SPDX-License-Identifier: Apache-2.0
// A table that need not be in memory at once: its rows come a batch at a time.
#pragma once

#include <cstddef>
#include <functional>

#include "pidforest/table.h"

namespace pidforest {

/// The same rows in the same order each time they are asked for. How they are cut into batches changes no result.
class Batches {
 public:
  virtual ~Batches() = default;

  [[nodiscard]] virtual std::size_t n_rows() const = 0;
  /// The columns without rows: their names and types, which are those of every batch.
  [[nodiscard]] virtual Table columns() const = 0;
  /// Calls `visit` with each batch; a batch is valid during the call only. What `visit` throws reaches the caller.
  virtual void for_each(const std::function<void(const Table& batch)>& visit) const = 0;
  /// The same for one column alone: calls `visit` with its parts, one after the other, and their numbers of rows.
  virtual void for_each_part(std::size_t column,
                             const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
    for_each([&](const Table& batch) { visit(batch.columns()[column], batch.n_rows()); });
  }
  /// The whole table, where it is in memory anyway.
  [[nodiscard]] virtual const Table* in_memory() const { return nullptr; }
};

/// A table in memory as one batch; views it.
class TableBatches : public Batches {
 public:
  explicit TableBatches(const Table& table) : table_(table) {}

  [[nodiscard]] std::size_t n_rows() const override { return table_.n_rows(); }
  [[nodiscard]] Table columns() const override { return table_.rows(0, 0); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override { visit(table_); }
  [[nodiscard]] const Table* in_memory() const override { return &table_; }

 private:
  const Table& table_;
};

}  // namespace pidforest
