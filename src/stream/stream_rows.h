// SPDX-License-Identifier: Apache-2.0
// Events as rows of a stream: how events are encoded, and the columns of a window of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"
#include "schema/encode.h"
#include "stream/sliding_rows.h"

namespace pidforest::stream {

/// Over how many events the rises of a window are: 1 to 8, but fewer than the window has.
std::vector<std::size_t> rise_spans(std::size_t window);

class StreamRows {
 public:
  /// `events` is complete. Rows have one column for each of its columns and each lag of the window, the earliest first,
  /// then its rises if the views ask for them, and its means; columns of times have one for the last event only.
  /// `has_season` says whether seasons are learned.
  StreamRows(Schema events, const StreamOptions& options, bool has_season);

  /// Axes of events that are lines of numbers, and so may have a season. In a sample, the numbers of an event are
  /// followed by these numbers minus what is usual at the time, one per metric, if seasons are learned, and then by the
  /// means of the metrics.
  [[nodiscard]] const std::vector<std::size_t>& metrics() const { return metrics_; }
  /// Whether rows have a metric minus what is usual, instead of the metric itself.
  [[nodiscard]] bool is_seasonal(std::size_t metric) const { return is_seasonal_[metric] != 0; }
  void set_seasonal(std::size_t metric);
  /// The time between events, in microseconds, by which lags and rises are named; 0: by the number of samples.
  [[nodiscard]] std::int64_t step() const { return step_; }
  void set_step(std::int64_t step);

  /// What the columns of events mean.
  [[nodiscard]] const Schema& events() const { return events_.schema(); }
  /// What the columns of rows mean. Its axes are the features.
  [[nodiscard]] const schema::Encoder& rows() const { return rows_; }
  /// How many numbers an event has.
  [[nodiscard]] std::size_t n_numbers() const { return events_.axes().size(); }
  /// How many numbers a sample has.
  [[nodiscard]] std::size_t n_sample_numbers() const { return first_mean() + metrics_.size() * means_.size(); }
  /// The place of the first mean in a sample.
  [[nodiscard]] std::size_t first_mean() const { return n_numbers() + (has_season_ ? metrics_.size() : 0); }
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }

  /// The numbers of each event, one event after the other. An unseen level of a category is the code after all
  /// levels; in a hierarchy, and in a column of 4096 levels, it counts as missing. Throws InvalidInput for what does
  /// not fit, also for infinite numbers.
  [[nodiscard]] std::vector<double> encode(const Table& events) const;
  /// Adds the unseen levels of an event, which has these numbers, to the schema. They keep their codes. Returns whether
  /// there are any.
  bool add_levels(const Table& events, std::size_t row, std::span<const double> numbers);

 private:
  void make_rows();
  void add_lags(const ColumnSchema& column, std::span<const std::size_t> numbers, Schema& schema);
  void add_rises(const ColumnSchema& column, std::size_t number, Schema& schema);
  void add_means(const ColumnSchema& column, std::size_t metric, Schema& schema);
  [[nodiscard]] std::string name_of_lag(const std::string& metric, std::size_t lag) const;
  [[nodiscard]] std::string span_of(std::size_t n_samples) const;
  [[nodiscard]] bool may_add_level(std::size_t axis) const;

  std::size_t window_;
  WindowViews views_;
  std::vector<std::size_t> means_;
  bool has_season_;
  std::int64_t step_ = 0;
  schema::Encoder events_;
  std::vector<std::size_t> metrics_;
  std::vector<std::uint8_t> is_seasonal_;
  schema::Encoder rows_;
  std::vector<Feature> features_;
};

}  // namespace pidforest::stream
