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
  WithoutColumns(const Batches& all, const std::vector<std::string>& names) : all_(all) {
    const Table header = all.header();
    for (std::size_t j = 0; j < header.n_columns(); ++j)
      if (std::ranges::find(names, header.columns()[j].name) == names.end()) kept_.push_back(j);
  }

  [[nodiscard]] std::size_t n_rows() const override { return all_.n_rows(); }
  [[nodiscard]] Table header() const override { return rest_of(all_.header()); }
  void for_each(const std::function<void(const Table&)>& visit) const override {
    all_.for_each([&](const Table& batch) { visit(rest_of(batch)); });
  }
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override {
    all_.for_each_part(kept_[column], visit);
  }

 private:
  [[nodiscard]] Table rest_of(const Table& table) const {
    std::vector<Column> columns;
    columns.reserve(kept_.size());
    for (const std::size_t j : kept_) columns.push_back(table.columns()[j]);
    return {table.n_rows(), std::move(columns)};
  }

  const Batches& all_;
  /// The places of the columns that stay.
  std::vector<std::size_t> kept_;
};

}  // namespace pidforest::cli
