// SPDX-License-Identifier: Apache-2.0
// Fits a model in passes over the rows: one for the ranges of the axes and the samples of the trees, one for the marks
// that reasons are made of, one for all counts, and one for the threshold.
// Declared in pidforest/model.h.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model/axis_survey.h"
#include "model/growth.h"
#include "model/state.h"
#include "model/threshold.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"
#include "schema/table_facts.h"

namespace pidforest {

namespace {

/// A schema may ignore all columns: readers then leave them out of the table.
void check_shape(const Batches& batches, const Schema& schema) {
  if (schema.columns.empty()) throw InvalidInput("the table has no columns; fitting requires at least one.");
  if (batches.n_rows() == 0) throw InvalidInput("the table has no rows; fitting requires at least one.");
}

/// The first pass. A table in memory is viewed and not copied.
model::AxisSurvey survey_rows(const schema::Encoder& encoder, const schema::EncodedBatches& encoded,
                              const Options& options, const Run& run) {
  std::vector<std::size_t> wanted;
  if (!encoded.is_in_memory()) wanted = model::rows_to_keep(encoded.n_rows(), options, run);
  model::AxisSurvey survey(encoder, encoded.n_rows(), options, std::move(wanted));
  encoded.for_each(run,
                   [&](const Table& batch, std::size_t begin, const Run& part) { survey.add(batch, begin, part); });
  return survey;
}

/// The cubes that explain rows, not counted yet. Reads the rows for the marks that meet in them.
std::shared_ptr<const reasons::Reasons> find_cubes(const model::Growth& growth, const model::AxisSurvey& survey,
                                                   const schema::EncodedBatches& encoded, const Run& run) {
  model::ReasonSearch search(growth, survey, run);
  const reasons::StrongMarks marks = search.strong_marks();
  reasons::MarkSets sets;
  if (marks.can_meet()) {
    const reasons::MarkFinder finder(marks, growth.state.forest->root);
    encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run&) {
      finder.add(model::in_order(batch, growth.state.axis_order), begin, sets);
    });
  }
  return search.collect(sets);
}

/// Computes the threshold from the scores of a sample of the fitted rows, in a pass over the rows of its own: to keep
/// the sample would take more memory than all trees.
double find_threshold(const model::State& state, const schema::EncodedBatches& encoded, const Run& run) {
  const std::vector<std::size_t> sample = forest::threshold_sample(encoded.n_rows(), state.options);
  std::vector<double> scores;
  auto next = sample.begin();
  encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
    std::vector<std::size_t> places;
    for (; next != sample.end() && *next < begin + batch.n_rows(); ++next) places.push_back(*next - begin);
    model::append_scores(state, model::in_order(batch, state.axis_order), places, part, scores);
  });
  return model::threshold_for(std::move(scores), state.options);
}

/// Fits by a complete schema.
Model fit_completed(const Batches& batches, const Schema& schema, const Options& options, const Run& run) {
  check_shape(batches, schema);
  const schema::Encoder encoder(schema);
  const schema::EncodedBatches encoded(encoder, batches);
  const model::AxisSurvey survey = survey_rows(encoder, encoded, options, run);
  model::Growth growth = model::grow(survey, run);
  if (options.reasons) growth.state.reasons = find_cubes(growth, survey, encoded, run);
  model::RowCounts counts(growth);
  if (counts.needs_rows())
    encoded.for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
      counts.add(model::in_order(batch, growth.state.axis_order), part);
    });
  model::State state = counts.finish(survey.chosen(growth.state.axis_order), run);
  if (options.contamination != Options::none) state.threshold = find_threshold(state, encoded, run);
  return model::Access::made_of(std::move(state));
}

}  // namespace

Model Model::fit(const Batches& batches, const Options& options, const Run& run) {
  validate(options);
  return fit_completed(batches, infer_schema(batches), options, run);  // inference leaves nothing to complete
}

Model Model::fit(const Batches& batches, const Schema& schema, const Options& options, const Run& run) {
  validate(options);
  check_shape(batches, schema);
  return fit_completed(batches, schema::complete_schema(schema, batches), options, run);
}

}  // namespace pidforest
