// SPDX-License-Identifier: Apache-2.0
// Fits a model in four passes over the rows: one for the ranges of the axes and the samples of the trees, one for the
// counts, one for the threshold, and one for the reasons.
// Declared in pidforest/model.h.
#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "forest/count.h"
#include "model/fit_reasons.h"
#include "model/isolated_axes.h"
#include "model/outer_survey.h"
#include "model/roots.h"
#include "model/state.h"
#include "model/threshold.h"
#include "pairs/find_pairs.h"
#include "pidforest/error.h"
#include "schema/encoded_table.h"

namespace pidforest {

namespace {

/// A schema may ignore all columns: readers then leave them out of the table.
void check_shape(const Batches& batches, const Schema& schema) {
  if (schema.columns.empty()) throw InvalidInput("the table has no columns; fitting requires at least one.");
  if (batches.n_rows() == 0) throw InvalidInput("the table has no rows; fitting requires at least one.");
}

/// The numbers of the rows that are needed again after the first pass, in increasing order.
std::vector<std::size_t> rows_to_keep(std::size_t n_rows, const Options& options, const Run& run) {
  const std::vector<std::size_t> drawn = forest::rows_to_draw(n_rows, options, run);
  if (!options.reasons) return drawn;
  std::vector<std::size_t> all;
  std::ranges::set_union(drawn, reasons::reason_sample(n_rows), std::back_inserter(all));
  return all;
}

/// The first pass over the rows: finds the range and the outermost values of each axis and keeps the rows that are
/// needed again.
class Survey {
 public:
  Survey(const schema::EncodedBatches& encoded, const Options& options, const Run& run)
      : infos_(encoded.axes()),
        n_rows_(encoded.n_rows()),
        ranges_(encoded.axes().size()),
        outer_(options.isolated ? std::span(infos_) : std::span<const schema::AxisInfo>(),
               geometry::n_outer(encoded.n_rows())),
        is_whole_(encoded.is_in_memory()) {
    if (!is_whole_) numbers_ = rows_to_keep(n_rows_, options, run);
    values_.resize(encoded.axes().size());
    for (std::vector<double>& values : values_) values.reserve(numbers_.size());
    encoded.for_each(run, [&](const Table& batch, std::size_t begin, const Run& part) {
      model::widen_axis_ranges(batch, part, ranges_, outer_);
      if (is_whole_)
        whole_ = batch.columns();
      else
        copy_drawn(batch, begin);
    });
  }

  [[nodiscard]] const std::vector<table::ColumnRange>& ranges() const { return ranges_; }

  /// The isolated parts of each axis, or none if the options do not ask for them.
  [[nodiscard]] std::vector<geometry::IsolatedParts> isolated(const Options& options) const {
    if (!options.isolated) return {};
    std::vector<std::size_t> all(infos_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const forest::ChosenRows rows = chosen(all);
    return model::find_isolated_axes({infos_, ranges_, outer_, n_rows_}, rows.rows,
                                     rows.places_of(forest::first_samples(n_rows_, options)));
  }

  /// The result views this object.
  [[nodiscard]] forest::ChosenRows chosen(const std::vector<std::size_t>& axis_order) const {
    forest::ChosenRows chosen{.n_rows = n_rows_, .numbers = numbers_};
    chosen.rows.n = is_whole_ ? n_rows_ : numbers_.size();
    for (const std::size_t axis : axis_order)
      chosen.rows.columns.push_back(is_whole_ ? forest::StridedColumn{whole_[axis].first, whole_[axis].stride}
                                              : forest::StridedColumn{values_[axis].data()});
    return chosen;
  }

 private:
  void copy_drawn(const Table& batch, std::size_t begin) {
    const auto first = std::ranges::lower_bound(numbers_, begin);
    const auto last = std::ranges::lower_bound(numbers_, begin + batch.n_rows());
    for (std::size_t axis = 0; axis < values_.size(); ++axis)
      for (auto number = first; number != last; ++number)
        values_[axis].push_back(batch.columns()[axis].number(*number - begin));
  }

  const std::vector<schema::AxisInfo>& infos_;
  std::size_t n_rows_;
  std::vector<table::ColumnRange> ranges_;
  model::OuterSurvey outer_;
  /// True if the rows stay in memory anyway, so that nothing is copied.
  bool is_whole_;
  std::vector<Column> whole_;
  std::vector<std::size_t> numbers_;
  /// One vector per axis.
  std::vector<std::vector<double>> values_;
};

Counts count_for_fit(const model::State& state, const schema::EncodedBatches& encoded, const forest::ChosenRows& chosen,
                     const Run& run) {
  if (forest::counts_all_rows(encoded.n_rows(), state.options)) return model::count_batches(state, encoded, run);
  return forest::count_chosen(*state.forest, *state.book, chosen, state.options, run);
}

/// Finds candidates in a sample of the rows and counts them in all rows.
pairs::RarePairs find_rare_pairs(const model::State& state, const schema::EncodedBatches& encoded,
                                 const forest::ChosenRows& chosen, const Run& run) {
  const std::vector<forest::Relation>& relations = state.forest->relations;
  if (!state.options.rare_pairs || relations.empty()) return {};
  std::vector<pairs::GroupedAxis> axes;
  for (std::size_t axis = 0; axis < state.axis_order.size(); ++axis) {
    const schema::AxisInfo& info = encoded.axes()[state.axis_order[axis]];
    const geometry::AxisKind kind = model::kind_of(info, state.forest->root[axis]);
    axes.push_back({kind, kind != geometry::AxisKind::category && info.n_cells > 0});
  }
  const forest::CopiedRows sample(chosen.rows, chosen.places_of(forest::first_samples(chosen.n_rows, state.options)));
  const pairs::RarePairs candidates = pairs::candidate_pairs(sample.rows(), axes, relations, chosen.n_rows);
  if (candidates.empty()) return {};
  std::vector<pairs::RarePairs::Count> counts(candidates.all().size());
  encoded.for_each(run, [&](const Table& batch, std::size_t, const Run& part) {
    candidates.count(model::in_order(batch, state.axis_order), counts, part);
  });
  return pairs::rare_pairs(candidates, counts, relations.size());
}

/// Appends the scores of some rows, which are copied a few at a time.
void append_scores(const model::State& state, const forest::Rows& rows, std::span<const std::size_t> places,
                   const Run& run, std::vector<double>& scores) {
  constexpr std::size_t most_values = std::size_t{1} << 22;
  constexpr std::size_t fewest_rows = 1024;
  const std::size_t step = std::max(most_values / std::max<std::size_t>(rows.columns.size(), 1), fewest_rows);
  for (std::size_t first = 0; first < places.size(); first += step) {
    const forest::CopiedRows some(rows, places.subspan(first, std::min(step, places.size() - first)));
    scores.resize(scores.size() + some.rows().n);
    model::score_rows(state, some.rows(), std::span(scores).last(some.rows().n), run);
  }
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
    append_scores(state, model::in_order(batch, state.axis_order), places, part, scores);
  });
  return model::threshold_for(std::move(scores), state.options);
}

}  // namespace

Model Model::fit(const Batches& batches, const Options& options, const Run& run) {
  validate(options);
  return fit(batches, infer_schema(batches), options, run);
}

Model Model::fit(const Batches& batches, const Schema& schema, const Options& options, const Run& run) {
  validate(options);
  check_shape(batches, schema);
  State state{.options = options, .encoder = schema::Encoder(schema::complete_schema(schema, batches))};
  const schema::EncodedBatches encoded(state.encoder, batches);
  const Survey survey(encoded, options, run);
  model::Roots roots = model::find_roots(encoded, survey.ranges(), options, run, survey.isolated(options));
  const forest::ChosenRows chosen = survey.chosen(roots.axis_order);
  state.axis_order = std::move(roots.axis_order);
  state.forest = std::make_shared<const forest::Forest>(
      forest::grow_forest(chosen, {roots.axes, std::move(roots.intervals), std::move(roots.isolated)}, options, run));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.counts = count_for_fit(state, encoded, chosen, run);
  state.tables = forest::score_tables(*state.forest, state.counts);
  state.pairs = find_rare_pairs(state, encoded, chosen, run);
  if (options.contamination != Options::none) state.threshold = find_threshold(state, encoded, run);
  if (options.reasons) state.reasons = model::find_reasons(state, encoded, chosen, run);
  return Model(std::make_shared<const State>(std::move(state)));
}

}  // namespace pidforest
