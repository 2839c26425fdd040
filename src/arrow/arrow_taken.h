// SPDX-License-Identifier: Apache-2.0
// What was taken over through the Arrow C interface: it is released once, whatever happens.
#pragma once

#include <memory>
#include <utility>

#include "pidforest/arrow.h"

namespace pidforest::arrow {

/// Owns an ArrowSchema, ArrowArray or ArrowArrayStream; none where `release` is null.
template <class Struct>
class Taken {
 public:
  Taken() = default;
  /// Takes over what is `given`, which may be null.
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
  /// For a producer to write to, or to be called with.
  [[nodiscard]] Struct* get() { return &held_; }

 private:
  Struct held_ = {};
};

using TakenArray = std::shared_ptr<const Taken<ArrowArray>>;

/// One array with its schema.
struct ArrowPair {
  Taken<ArrowSchema> schema;
  TakenArray array;

  /// Takes both over. Throws InvalidInput for what is null or released already.
  ArrowPair(ArrowSchema* given_schema, ArrowArray* given_array);
};

class ArrowStream {
 public:
  /// Takes it over. Throws InvalidInput for one that is null or released already, or that has no schema to give.
  explicit ArrowStream(ArrowArrayStream* stream);

  [[nodiscard]] const ArrowSchema& schema() const { return *schema_; }
  /// Null at the end. Throws InvalidInput with the stream's own words.
  [[nodiscard]] TakenArray next();

 private:
  [[noreturn]] void refuse(int error);

  Taken<ArrowArrayStream> stream_;
  Taken<ArrowSchema> schema_;
};

}  // namespace pidforest::arrow
