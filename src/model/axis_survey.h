// SPDX-License-Identifier: Apache-2.0
// The first pass of a fit over the rows: the ranges and the outermost values of the axes, and copies of the rows that
// are needed again. Surveys of pieces of a table merge in any order.
#pragma once

#include <cstddef>
#include <vector>

#include "forest/chosen_rows.h"
#include "geometry/isolated.h"
#include "model/outer_survey.h"
#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encode.h"
#include "table/column_ranges.h"

namespace pidforest::model {

/// Encoded rows of a table with their numbers, in increasing order.
struct NumberedRows {
  std::vector<std::size_t> numbers = {};
  /// One vector per axis of the encoder.
  std::vector<std::vector<double>> values = {};

  /// Throws InvalidInput if both have a row.
  void merge(const NumberedRows& other);

  bool operator==(const NumberedRows&) const = default;
};

class AxisSurvey {
 public:
  /// `n_rows` is the number of rows of the whole table. Copies the `wanted` rows, whose numbers increase; if there are
  /// none, the table must come as one batch that stays in memory, and is viewed.
  AxisSurvey(schema::Encoder encoder, std::size_t n_rows, const Options& options, std::vector<std::size_t> wanted);

  /// Adds encoded rows of which the first has the number `first_row`. Throws InvalidInput for an infinite value, and
  /// for wanted rows that were added before.
  void add(const Table& encoded, std::size_t first_row, const Run& run);
  /// Adds the rows of a survey with the same encoder, options and wanted rows.
  void merge(const AxisSurvey& other);
  /// Throws InvalidInput unless every row was added once.
  void check_complete() const;

  [[nodiscard]] const schema::Encoder& encoder() const { return encoder_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_added() const { return n_added_; }
  [[nodiscard]] const std::vector<table::ColumnRange>& ranges() const { return ranges_; }
  /// The values next to the ends of each axis; empty unless root intervals end half a gap beyond them.
  [[nodiscard]] const std::vector<table::NextValues>& next() const { return next_; }
  [[nodiscard]] const OuterSurvey& outer() const { return outer_; }
  [[nodiscard]] const std::vector<std::size_t>& wanted() const { return wanted_; }
  [[nodiscard]] const NumberedRows& copied() const { return copied_; }

  /// A sample for facts about the axes of the encoder, without rows if the options ask for none of them.
  [[nodiscard]] forest::SortedSample sample(const Run& run) const;
  /// The isolated parts of each axis, or none if the options do not ask for them.
  [[nodiscard]] std::vector<geometry::IsolatedParts> isolated(const forest::SortedRows& sample) const;
  /// The rows with their axes in an order. The result views this object.
  [[nodiscard]] forest::ChosenRows chosen(const std::vector<std::size_t>& axis_order) const;

  /// What a survey that was written as bytes has found.
  struct Found {
    std::size_t n_added = 0;
    std::vector<table::ColumnRange> ranges = {};
    std::vector<table::NextValues> next = {};
    /// The outermost values of each axis.
    std::vector<std::vector<double>> lowest = {};
    std::vector<std::vector<double>> highest = {};
    NumberedRows copied = {};
  };
  /// Adds it. The members must fit this survey.
  void add(Found found);

 private:
  void add_ranges(const std::vector<table::ColumnRange>& ranges, const std::vector<table::NextValues>& next);
  void copy_wanted(const Table& encoded, std::size_t first_row);

  schema::Encoder encoder_;
  std::size_t n_rows_;
  Options options_;
  std::vector<std::size_t> wanted_;
  std::size_t n_added_ = 0;
  std::vector<table::ColumnRange> ranges_;
  std::vector<table::NextValues> next_;
  OuterSurvey outer_;
  NumberedRows copied_;
  /// The columns of the whole table if it is viewed.
  std::vector<Column> whole_;
};

/// The rows that are needed again after the first pass: the samples of the trees and, if the options ask for reasons,
/// the sample of the reasons. In increasing order. Throws Cancelled.
std::vector<std::size_t> rows_to_keep(std::size_t n_rows, const Options& options, const Run& run);

}  // namespace pidforest::model
