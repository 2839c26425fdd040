// SPDX-License-Identifier: Apache-2.0
// A table as the forest sees it: one column of doubles per axis. Numbers are viewed in place; all other values are
// encoded into owned memory.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encode.h"

namespace pidforest::schema {

class EncodedTable {
 public:
  EncodedTable(const Encoder& encoder, const Table& table, const Run& run);
  /// Encodes the rows from `begin` up to but not including `end`.
  EncodedTable(const Encoder& encoder, const Table& table, std::size_t begin, std::size_t end, const Run& run);

  /// One column per axis, in the order of the encoder.
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  std::vector<std::vector<double>> owned_;
  Table table_;
};

/// A table as axes, encoded one batch of rows at a time, so that memory does not grow with the table. The encoder and
/// the batches must outlive it.
class EncodedBatches {
 public:
  EncodedBatches(const Encoder& encoder, const Batches& batches) : encoder_(encoder), batches_(batches) {}

  [[nodiscard]] std::size_t n_rows() const { return batches_.n_rows(); }
  [[nodiscard]] const std::vector<AxisInfo>& axes() const { return encoder_.axes(); }
  /// True if the table is a single batch of number columns in memory, which is viewed in place.
  [[nodiscard]] bool is_in_memory() const;

  /// Calls `visit` with each batch, the number of its first row, and the run to use. A table in memory has at least one
  /// batch.
  void for_each(const Run& run,
                const std::function<void(const Table& encoded, std::size_t begin, const Run& run)>& visit) const;

 private:
  const Encoder& encoder_;
  const Batches& batches_;
};

}  // namespace pidforest::schema
