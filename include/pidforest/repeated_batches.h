// SPDX-License-Identifier: Apache-2.0
// A table whose rows count as often as whole-number weights say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "pidforest/batches.h"
#include "pidforest/table.h"

namespace pidforest {

/// Row i comes weights[i] times, one after the other, and not at all where that is 0; it is so in memory for a batch at
/// a time only. Messages number the rows as they come. Views both.
class RepeatedBatches : public Batches {
 public:
  /// Throws InvalidInput unless there is one weight per row and their sum is at most 2^40.
  RepeatedBatches(const Batches& batches, std::span<const std::uint64_t> weights);

  [[nodiscard]] std::size_t n_rows() const override { return n_rows_; }
  [[nodiscard]] Table columns() const override { return batches_.columns(); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;

 private:
  const Batches& batches_;
  std::span<const std::uint64_t> weights_;
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest
