// SPDX-License-Identifier: Apache-2.0
// Rows that come from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/arrow.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::python {

/// Gives the columns of batches new names, in order.
class NamedBatches : public Batches {
 public:
  /// The batches must outlive it. Throws InvalidInput if the number of names differs from the number of columns.
  NamedBatches(const Batches& batches, std::vector<std::string> names);

  [[nodiscard]] std::size_t n_rows() const override { return batches_.n_rows(); }
  [[nodiscard]] Table header() const override { return named(batches_.header()); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  [[nodiscard]] const Table* in_memory() const override { return whole_ ? &*whole_ : nullptr; }

 private:
  [[nodiscard]] Table named(const Table& table) const;

  const Batches& batches_;
  std::vector<std::string> names_;
  std::optional<Table> whole_;
};

/// Returns the stream in a capsule of the Arrow C stream interface. Raises Python's own error for any other capsule.
ArrowArrayStream* stream_in(const nanobind::capsule& capsule);

/// Batches, the schema that the types of their columns imply, and the Python objects whose memory they view.
class Rows {
 public:
  explicit Rows(ArrayTable table);
  Rows(std::unique_ptr<Batches> batches, Schema declared);

  [[nodiscard]] const Batches& batches() const { return *batches_; }
  [[nodiscard]] Schema declared() const;
  /// Returns the table to which columns can be added one by one; keeps `owner`, whose memory they view, alive.
  ArrayTable& add_to(nanobind::object owner);
  /// Returns a view of `self` with new column names, in order. Throws InvalidInput if the number of names differs.
  static Rows renamed(const nanobind::object& self, std::vector<std::string> names);

 private:
  ArrayTable* arrays_ = nullptr;
  std::unique_ptr<Batches> batches_;
  Schema declared_;
  std::vector<nanobind::object> owners_;
};

}  // namespace pidforest::python
