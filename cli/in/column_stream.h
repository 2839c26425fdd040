// SPDX-License-Identifier: Apache-2.0
// Chooses columns of a stream of record batches.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "in/arrow_owned.h"
#include "pidforest/arrow.h"

namespace pidforest::cli {

class ColumnStream {
 public:
  struct State;

  /// Takes ownership of the stream. Throws InvalidInput if it gives no schema of a table.
  explicit ColumnStream(ArrowOwned<ArrowArrayStream> source);

  /// The names of the columns.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Why the values of a column cannot be read, such as a list; empty if they can.
  [[nodiscard]] std::string refusal_of(std::size_t column) const;

  struct Choice {
    std::size_t column;
    /// Gives 64-bit integers as texts, which keep all their digits. Other types stay.
    bool as_text = false;
  };
  /// A stream of these columns. Call it once, last.
  [[nodiscard]] ArrowArrayStream chosen(std::vector<Choice> choices);

 private:
  std::shared_ptr<State> state_;
  std::vector<std::string> names_;
};

}  // namespace pidforest::cli
