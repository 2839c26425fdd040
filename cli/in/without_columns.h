// SPDX-License-Identifier: Apache-2.0
// A table without some of its columns.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::cli {

/// Views the rows of another table, which must outlive it.
class WithoutColumns : public Batches {
 public:
  WithoutColumns(const Batches& all, std::vector<std::string> names) : all_(all), names_(std::move(names)) {}

  [[nodiscard]] std::size_t n_rows() const override { return all_.n_rows(); }
  [[nodiscard]] Table header() const override { return rest_of(all_.header()); }
  void for_each(const std::function<void(const Table&)>& visit) const override {
    all_.for_each([&](const Table& batch) { visit(rest_of(batch)); });
  }

 private:
  [[nodiscard]] Table rest_of(const Table& table) const {
    std::vector<Column> columns = table.columns();
    std::erase_if(columns,
                  [&](const Column& column) { return std::ranges::find(names_, column.name) != names_.end(); });
    return {table.n_rows(), std::move(columns)};
  }

  const Batches& all_;
  std::vector<std::string> names_;
};

}  // namespace pidforest::cli
