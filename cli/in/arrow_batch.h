// SPDX-License-Identifier: Apache-2.0
// Rows for a database as an Arrow record batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "in/arrow_owned.h"
#include "pidforest/arrow.h"

namespace pidforest::cli {

class ArrowBatch {
 public:
  explicit ArrowBatch(std::size_t n_rows);
  ~ArrowBatch();
  ArrowBatch(const ArrowBatch&) = delete;
  ArrowBatch& operator=(const ArrowBatch&) = delete;
  ArrowBatch(ArrowBatch&&) = delete;
  ArrowBatch& operator=(ArrowBatch&&) = delete;

  // A value for each row; a missing value becomes NULL.
  void add_integers(const std::string& name, const std::vector<std::optional<std::int64_t>>& values);
  void add_numbers(const std::string& name, const std::vector<std::optional<double>>& values);
  void add_booleans(const std::string& name, const std::vector<std::optional<bool>>& values);
  void add_texts(const std::string& name, const std::vector<std::optional<std::string>>& values);

  // Moves the columns into structs of their own. Call each once, after all columns are added.
  [[nodiscard]] ArrowOwned<ArrowSchema> schema();
  [[nodiscard]] ArrowOwned<ArrowArray> array();

 private:
  /// The validity bits, the values or their offsets, and the characters of texts.
  using Buffers = std::array<std::string, 3>;
  struct Fields;
  struct Arrays;

  Buffers& add(const std::string& name, const char* format);

  std::size_t n_rows_;
  std::unique_ptr<Fields> fields_;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace pidforest::cli
