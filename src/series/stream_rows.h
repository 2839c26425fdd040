// SPDX-License-Identifier: Apache-2.0
// Events as rows of a stream: how events are encoded, and the columns of a window of events.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"
#include "schema/encode.h"
#include "series/sliding_rows.h"

namespace pidforest::series {

class StreamRows {
 public:
  /// `events` is complete. Rows have one column for each of its columns and each lag of the window, the earliest first,
  /// then its rises if the views ask for them; columns of times have one for the last event only.
  StreamRows(Schema events, const StreamOptions& options);

  /// What the columns of events mean.
  [[nodiscard]] const Schema& events() const { return events_.schema(); }
  /// What the columns of rows mean. Its axes are the features.
  [[nodiscard]] const schema::Encoder& rows() const { return rows_; }
  /// How many numbers an event has.
  [[nodiscard]] std::size_t n_numbers() const { return events_.axes().size(); }
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
  void add_rises(std::size_t column, Schema& schema);
  [[nodiscard]] bool may_add_level(std::size_t axis) const;

  std::size_t window_;
  WindowViews views_;
  schema::Encoder events_;
  schema::Encoder rows_;
  std::vector<Feature> features_;
};

}  // namespace pidforest::series
