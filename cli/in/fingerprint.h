// SPDX-License-Identifier: Apache-2.0
// A number that stands for a sequence of bytes, which may come in pieces: FNV-1a with 64 bits. It recognises mix-ups,
// not attacks.
#pragma once

#include <cstdint>
#include <string_view>

namespace pidforest::cli {

class Fingerprint {
 public:
  Fingerprint() = default;
  /// Continues after the bytes that have this value.
  explicit Fingerprint(std::uint64_t value) : value_(value) {}

  Fingerprint& add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

}  // namespace pidforest::cli
