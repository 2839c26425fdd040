// SPDX-License-Identifier: Apache-2.0
// Owns a struct of the Arrow C interface and releases it exactly once.
#pragma once

#include <utility>

#include "pidforest/arrow.h"

namespace pidforest::cli {

/// ArrowSchema, ArrowArray or ArrowArrayStream; empty if `release` is null.
template <class Struct>
class ArrowOwned {
 public:
  ArrowOwned() = default;
  /// Takes ownership of `given`, whose `release` is null afterwards.
  explicit ArrowOwned(Struct& given) noexcept : held_(std::exchange(given, Struct{})) {}
  ArrowOwned(ArrowOwned&& other) noexcept : ArrowOwned(other.held_) {}
  ArrowOwned& operator=(ArrowOwned&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ArrowOwned(const ArrowOwned&) = delete;
  ArrowOwned& operator=(const ArrowOwned&) = delete;
  ~ArrowOwned() {
    if (is_there()) held_.release(&held_);
  }

  [[nodiscard]] bool is_there() const { return held_.release != nullptr; }
  [[nodiscard]] Struct* get() { return &held_; }
  [[nodiscard]] const Struct& operator*() const { return held_; }
  [[nodiscard]] const Struct* operator->() const { return &held_; }

 private:
  Struct held_ = {};
};

}  // namespace pidforest::cli
