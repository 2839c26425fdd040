// SPDX-License-Identifier: Apache-2.0
// Owners of structures from the Arrow C interface, which release them exactly once.
#pragma once

#include <memory>
#include <utility>

#include "pidforest/arrow.h"

namespace pidforest::arrow {

/// Owns an ArrowSchema, ArrowArray or ArrowArrayStream; empty if `release` is null.
template <class Struct>
class Taken {
 public:
  Taken() = default;
  /// Takes ownership of `given`, which may be null.
  explicit Taken(Struct* given) noexcept {
    if (given == nullptr) return;
    held_ = *given;
    given->release = nullptr;
  }
  Taken(Taken&& other) noexcept : Taken(&other.held_) {}
  Taken& operator=(Taken&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (is_there()) held_.release(&held_);
  }

  [[nodiscard]] bool is_there() const { return held_.release != nullptr; }
  [[nodiscard]] const Struct& operator*() const { return held_; }
  [[nodiscard]] const Struct* operator->() const { return &held_; }
  /// For a producer to write to or to be called with.
  [[nodiscard]] Struct* get() { return &held_; }

 private:
  Struct held_ = {};
};

using TakenArray = std::shared_ptr<const Taken<ArrowArray>>;

/// One array with its schema.
struct ArrowPair {
  Taken<ArrowSchema> schema;
  TakenArray array;

  /// Takes ownership of both. Throws InvalidInput for a structure that is null or already released.
  ArrowPair(ArrowSchema* given_schema, ArrowArray* given_array);
};

class ArrowStream {
 public:
  /// Takes ownership. Throws InvalidInput if the stream is null or already released, or cannot provide a schema.
  explicit ArrowStream(ArrowArrayStream* stream);

  [[nodiscard]] const ArrowSchema& schema() const { return *schema_; }
  /// Returns an empty array at the end. Throws InvalidInput with the stream's own message.
  [[nodiscard]] TakenArray next();

 private:
  [[noreturn]] void refuse(int error);

  Taken<ArrowArrayStream> stream_;
  Taken<ArrowSchema> schema_;
};

}  // namespace pidforest::arrow
