// SPDX-License-Identifier: Apache-2.0
// The time between the events of a stream, as long as it stays the same.
#pragma once

#include <cstdint>
#include <optional>

namespace pidforest::stream {

class EvenStep {
 public:
  static constexpr std::uint64_t longest = 1'000'000'000'000'000;  ///< 31 years, in microseconds

  /// The step of the last `n` events and one at `time`; 0 if their steps differ or are longer than
  /// that. Events of different segments have no
  /// step between them.
  [[nodiscard]] std::int64_t of_last(std::uint64_t n, std::int64_t time) const;
  void learn(std::int64_t time);
  void start_segment() { last_.reset(); }

  struct Saved {
    std::uint64_t has_last = 0;
    std::uint64_t last = 0;
    std::uint64_t step = 0;
    std::uint64_t n_equal = 0;
  };
  [[nodiscard]] Saved saved() const;
  void restore(const Saved& saved);

 private:
  [[nodiscard]] std::int64_t step_to(std::int64_t time) const;

  std::optional<std::int64_t> last_;
  std::int64_t step_ = 0;
  std::uint64_t n_equal_ = 0;
};

}  // namespace pidforest::stream
