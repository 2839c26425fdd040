// SPDX-License-Identifier: Apache-2.0
// A copy of a table that may be larger than memory: what is beyond a limit lies in a temporary file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "pidforest/batches.h"
#include "pidforest/table.h"

namespace pidforest {

class TableStore : public Batches {
 public:
  struct Limits {
    /// Beyond this many bytes of values batches go to a file.
    std::size_t memory = std::size_t{128} << 20;
    /// Where the file is, which has no name and is gone with the store; empty: TMPDIR, or else /tmp.
    std::string folder = {};
    /// Appended rows are gathered to batches of at least this many.
    std::size_t batch_rows = 65'536;
  };

  TableStore();
  explicit TableStore(Limits limits);
  ~TableStore() override;
  TableStore(TableStore&&) noexcept;
  TableStore& operator=(TableStore&&) noexcept;
  TableStore(const TableStore&) = delete;
  TableStore& operator=(const TableStore&) = delete;

  /// Copies the rows of `table`. All tables must have the same columns; one that has had missing values only may turn
  /// out to be of another type. Throws InvalidInput, or FileError when the file cannot be written.
  void append(const Table& table);

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table columns() const override;
  /// Throws FileError when the file cannot be read.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Some rows of a table by their numbers from 0, which increase; all their columns.
TableStore rows_at(const Batches& table, std::span<const std::uint64_t> numbers);

}  // namespace pidforest
