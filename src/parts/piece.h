// SPDX-License-Identifier: Apache-2.0
// Rows of a piece of a table, with the numbers that they have in the whole table.
#pragma once

#include <cstddef>
#include <functional>

#include "pidforest/table.h"

namespace pidforest::parts {

/// A view of batches, which must outlive it.
class TablePiece : public Batches {
 public:
  TablePiece(const Batches& rows, std::uint64_t first_row) : rows_(rows), first_row_(first_row) {}

  [[nodiscard]] std::size_t n_rows() const override { return rows_.n_rows(); }
  [[nodiscard]] Table header() const override { return rows_.header(); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override {
    std::size_t begin = first_row_;
    rows_.for_each([&](const Table& batch) {
      visit(batch.numbered_from(begin));
      begin += batch.n_rows();
    });
  }

 private:
  const Batches& rows_;
  std::size_t first_row_;
};

}  // namespace pidforest::parts
