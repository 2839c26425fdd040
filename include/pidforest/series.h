// SPDX-License-Identifier: Apache-2.0
// A time series as a table of shingles: a row is a window of successive samples, so that a forest sees how they follow
// each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pidforest/batches.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

struct SeriesOptions {
  /// The samples of a shingle.
  std::size_t window = 10;
  /// The column of times, which never go back within a series; empty: only the order of the rows is known.
  std::string time = {};
  /// The column that tells several series apart; empty: there is one.
  std::string by = {};
  /// A step between samples that is longer, in microseconds, starts a new segment, and no shingle crosses it.
  std::optional<std::int64_t> max_gap = {};
  /// Over how many samples, the last of the shingle and those before it, each metric has its mean as a further column:
  /// "cpu mean of 288 samples", or "cpu mean over 1 d". At the beginning of a segment it is that of the samples so far.
  std::vector<std::size_t> means = {};
  /// Whether the time of the shingle's last sample is a column, too: its hour and weekday, as far as they vary.
  bool calendar = false;
};

/// The period of the samples, which makes a good window: the lag at which their autocorrelation, the mean of those of
/// the metrics, has its first peak of at least 0.9 times the highest, or the highest up to a quarter beyond it. A peak
/// is at least 0.3 high, and 0.2 above the lowest point before it; up to half the longest segment and 2000 samples are
/// looked at. `options.window` does not matter. Throws what the constructor of Series does, and InvalidInput if there
/// is no peak.
std::size_t suggest_window(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});

/// Which shingle a time point has its score from: the one that begins there, the one that ends there (which is known at
/// once), or the rarest of all that hold it.
enum class Align : std::uint8_t { start, end, max };

/// The shingles of all segments, series by series in the order in which they first come. A column is a metric so many
/// samples earlier, the earliest first: "cpu 2 samples earlier", "cpu 1 sample earlier", "cpu"; where all steps between
/// samples are the same they are named by time: "cpu 10 min earlier". Missing values stay missing.
///
/// Holds a copy of the samples, which the columns view: a longer window takes no more memory.
class Series : public Batches {
 public:
  /// Of a time point that no shingle is for.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Every column besides time and by is a metric, unless `declared` ignores it; what else that says of the columns
  /// holds for all their lags. Throws InvalidOption, or InvalidInput: for a lacking column, a metric that holds no
  /// numbers, a time that is missing or goes back, and if no segment is as long as the window.
  Series(const Batches& samples, const SeriesOptions& options, const Schema& declared = {});
  ~Series() override;
  Series(Series&&) noexcept;
  Series& operator=(Series&&) noexcept;
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  /// The number of shingles.
  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table columns() const override;
  /// A batch is a segment.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  /// What is known of the shingles' columns before they are looked at, for infer_schema.
  [[nodiscard]] Schema declared() const;

  [[nodiscard]] std::size_t n_samples() const;
  /// The number of the shingle that each sample, in the order in which they were given, has its score from, or `none`.
  /// `bits` are the scores of all shingles; of equal ones the earliest is taken.
  [[nodiscard]] std::vector<std::size_t> shingles_of_samples(Align align, std::span<const double> bits) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pidforest
