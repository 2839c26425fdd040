// SPDX-License-Identifier: Apache-2.0
// How much higher the scores of the last rows are than usual. After a change everything scores high for a while; a row
// is rare if it scores higher than the rows just before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pidforest::stream {

class RecentLevel {
 public:
  /// The bits to take off the score of the next row: half of how much the median of the last 64 scores is more than
  /// a bit above the usual median.
  [[nodiscard]] double excess() const { return excess_; }
  /// Learns the score that the forests gave row number `n`. Call it for successive rows.
  void learn(double bits, std::uint64_t n);
  /// The median of these scores is usual from now on.
  void set_usual(std::span<const double> scores);

  /// As numbers, for a saved stream.
  [[nodiscard]] std::vector<double> saved() const;
  /// Restores what `saved` returned. Throws BadFile.
  void restore(std::span<const double> saved);

 private:
  double usual_ = 0;
  double excess_ = 0;
  /// The last scores; that of row number n is at n modulo their number.
  std::vector<double> last_;
};

}  // namespace pidforest::stream
