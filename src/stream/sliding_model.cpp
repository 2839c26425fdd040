// SPDX-License-Identifier: Apache-2.0
#include "stream/sliding_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "explain/findings.h"
#include "explain/isolated_reasons.h"
#include "explain/nearest_normal.h"
#include "explain/round_bounds.h"
#include "explain/wording.h"
#include "forest/chosen_rows.h"
#include "forest/route.h"
#include "geometry/logarithm.h"
#include "model/fit_reasons.h"
#include "model/roots.h"
#include "model/state.h"
#include "model/threshold.h"
#include "reasons/reasons.h"
#include "reasons/witness.h"

namespace pidforest::stream {

using forest::Rows;

namespace {

/// How often the threshold is renewed while the horizon fills with new rows.
constexpr std::size_t thresholds_per_horizon = 8;
/// The reason of an event is looked for in this many of the trees in which it has most bits.
constexpr std::size_t most_asked_trees = 3;
/// The second forest has fewer trees, because they are renewed more often. They draw from keys that the first forest
/// does not reach.
constexpr std::int64_t recent_trees = 12;
constexpr RenewedForest::Renewal recent_renewal{.horizons = 4, .first_key = std::uint32_t{1} << 31U};

/// A second forest must forget much sooner than the first, and know whole windows.
bool has_recent_forest(const StreamOptions& options) {
  return options.recent > 0 && options.horizon >= 2 * options.recent && options.window <= options.recent;
}

/// The axes that some tree knows.
std::vector<std::size_t> known_axes(std::span<const forest::Root> roots) {
  std::vector<std::size_t> known;
  for (std::size_t axis = 0; axis < roots.front().size(); ++axis)
    if (std::ranges::any_of(roots, [&](const forest::Root& root) { return std::isfinite(root[axis].high); }))
      known.push_back(axis);
  return known;
}

/// The forest of a model that has the axes `known` of the rows.
forest::Forest forest_of(const SlidingForest& sliding, std::span<const std::size_t> known,
                         std::span<const schema::AxisInfo> infos) {
  std::vector<std::size_t> numbers(infos.size());
  std::vector<schema::AxisInfo> known_infos;
  for (std::size_t i = 0; i < known.size(); ++i) {
    numbers[known[i]] = i;
    known_infos.push_back(infos[known[i]]);
  }
  std::vector<forest::Tree> trees = sliding.trees();
  for (forest::Tree& tree : trees)
    for (forest::Node& node : tree.nodes)
      if (!node.is_leaf()) node.axis = static_cast<std::uint32_t>(numbers[node.axis]);
  std::vector<forest::Root> roots;
  for (const forest::Root& root : sliding.roots()) {
    forest::Root& own = roots.emplace_back();
    for (const std::size_t axis : known) own.push_back(root[axis]);
  }
  forest::Forest forest = model::forest_of(std::move(roots), std::move(trees), known_infos);
  for (const std::size_t axis : known)
    if (!sliding.isolated().empty()) forest.isolated.push_back(sliding.isolated()[axis]);
  return forest;
}

/// The forest of a stream as the state of a model without reasons, which take time to count.
model::State state_of(const Options& options, const StreamRows& rows, const SlidingForest& sliding,
                      std::optional<double> threshold) {
  model::State state{.options = options, .encoder = rows.rows()};
  state.options.reasons = false;
  state.axis_order = known_axes(sliding.roots());
  state.forest = std::make_shared<const forest::Forest>(forest_of(sliding, state.axis_order, state.encoder.axes()));
  state.book = std::make_shared<const forest::CodeBook>(*state.forest);
  state.counts = sliding.counts();
  state.tables = forest::score_tables(*state.forest, state.counts);
  if (options.aggregate == Aggregate::vote) state.tables.median_bits = sliding.medians();
  state.threshold = threshold;
  return state;
}

/// Whether both have the same numbers and the same missing ones.
bool is_same(std::span<const double> event, std::span<const double> other) {
  return std::ranges::equal(event, other,
                            [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

std::vector<std::size_t> trees_with_most_bits(std::span<const double> bits) {
  std::vector<std::size_t> trees(bits.size());
  std::iota(trees.begin(), trees.end(), std::size_t{0});
  std::ranges::stable_sort(trees, std::ranges::greater{}, [&](std::size_t t) { return bits[t]; });
  trees.resize(std::min(trees.size(), most_asked_trees));
  return trees;
}

}  // namespace

SlidingModel::SlidingModel(const StreamOptions& options, Schema events, bool has_times)
    : options_(options),
      rows_(std::move(events), options, has_times && options.season),
      season_(has_times && options.season ? std::optional<LearnedSeason>(rows_.metrics().size()) : std::nullopt),
      means_(rows_.metrics().size(), options.means),
      vanished_(rows_.metrics().size()),
      forest_(options.forest, make_rows(options.horizon), RenewedForest::Renewal{}) {
  if (!has_recent_forest(options)) return;
  Options fewer = options.forest;
  fewer.n_estimators = recent_trees;
  recent_.emplace(fewer, make_rows(options.recent), recent_renewal);
}

SlidingRows SlidingModel::make_rows(std::size_t horizon) const {
  return {rows_.n_sample_numbers(), rows_.features(), horizon};
}

void SlidingModel::make_sample(std::span<const double> event, std::optional<std::int64_t> time) {
  time_ = time;
  sample_.assign(event.begin(), event.end());
  metrics_.clear();
  for (const std::size_t number : rows_.metrics()) metrics_.push_back(event[number]);
  sample_.resize(rows_.n_sample_numbers());
  if (season_) season_->minus_usual(metrics_, *time, std::span(sample_).subspan(event.size(), metrics_.size()));
  means_.of_next(metrics_, std::span(sample_).subspan(rows_.first_mean()));
}

void SlidingModel::learn_metrics() {
  means_.learn(metrics_);
  vanished_.learn(metrics_);
  if (!time_) return;
  step_.learn(*time_);
  if (season_ && season_->learn(metrics_, *time_)) look_at_known_seasons();
}

void SlidingModel::take(std::span<const double> event, std::optional<std::int64_t> time, bool ends_row) {
  is_last_scored_ = false;
  make_sample(event, time);
  forest_.take(sample_, ends_row);
  if (recent_) recent_->take(sample_, ends_row);
  learn_metrics();
}

void SlidingModel::take_samples(const PlainSamples& samples) {
  const std::size_t n = rows_.n_sample_numbers();
  for (std::size_t i = 0; i < samples.ends_row.size(); ++i) {
    const auto sample = std::span(samples.values).subspan(i * n, n);
    forest_.take(sample, samples.ends_row[i] != 0);
    if (recent_) recent_->take(sample, samples.ends_row[i] != 0);
  }
}

void SlidingModel::set_seasonal(std::span<const std::uint8_t> is_seasonal) {
  for (std::size_t metric = 0; metric < is_seasonal.size(); ++metric)
    if (is_seasonal[metric] != 0) rows_.set_seasonal(metric);
  forest_.look_at(make_rows(options_.horizon));
  if (recent_) recent_->look_at(make_rows(options_.recent));
}

/// Only when trees have been grown, and if there are as many rows for new ones as a warm-up has.
void SlidingModel::look_at_known_seasons() {
  if (forest().trees().empty()) return;
  for (std::size_t metric = 0; metric < rows_.metrics().size(); ++metric)
    if (season_->is_known(metric) && !rows_.is_seasonal(metric)) look_at_season(metric);
}

/// Rows that hold events from before the half hour was known are none.
PlainSamples SlidingModel::samples_with(std::size_t metric) const {
  PlainSamples samples = forest().rows().plain_samples();
  const std::size_t number = rows_.metrics()[metric];
  const std::size_t n = rows_.n_sample_numbers();
  std::size_t n_known = 0;
  for (std::size_t i = 0; i < samples.ends_row.size(); ++i) {
    const double* const sample = samples.values.data() + i * n;
    const bool is_known = std::isnan(sample[number]) || !std::isnan(sample[rows_.n_numbers() + metric]);
    n_known = is_known ? n_known + 1 : 0;
    if (n_known < options_.window) samples.ends_row[i] = 0;
  }
  return samples;
}

void SlidingModel::look_at_season(std::size_t metric) {
  const PlainSamples samples = samples_with(metric);
  if (static_cast<std::size_t>(std::ranges::count(samples.ends_row, 1)) < options_.warm_up) return;
  std::vector<std::uint8_t> is_seasonal(rows_.metrics().size());
  is_seasonal[metric] = 1;
  set_seasonal(is_seasonal);
  take_samples(samples);
  clock_.n_scores = 0;
  scores_.clear();
  level_ = {};
  begin();
}

void SlidingModel::begin() {
  forest_.begin(rows_.rows(), nullptr);
  if (recent_) recent_->begin(rows_.rows(), &forest());
  for (const std::size_t row : forest().rows().row_numbers()) {
    const double bits = score_without_itself(row);
    keep_score(bits, bits);
  }
  find_threshold();
}

/// The recent forest knows the last samples only; a row that it does not know has the score of the other.
double SlidingModel::score_without_itself(std::size_t row) {
  const double bits = forest_.score_without_itself(row);
  if (!recent_) return bits;
  const std::size_t n_before = forest().rows().n_samples() - recent_->sliding().rows().n_samples();
  return row < n_before ? bits : std::min(bits, recent_->score_without_itself(row - n_before));
}

void SlidingModel::keep_score(double forest_bits, double bits) {
  if (recent_) level_.learn(forest_bits, clock_.n_scores);
  if (scores_.size() < options_.horizon)
    scores_.push_back(bits);
  else
    scores_[clock_.n_scores % options_.horizon] = bits;
  ++clock_.n_scores;
}

void SlidingModel::find_threshold() {
  clock_.n_since_threshold = 0;
  level_.set_usual(scores_);
  if (options_.forest.aggregate == Aggregate::vote) {
    forest_.find_medians();
    if (recent_) recent_->find_medians();
  }
  if (options_.forest.contamination != Options::none)
    threshold_ = model::threshold_for(scores_, options_.forest, model::ScoredBy::many_forests);
}

EventScore SlidingModel::score(std::span<const double> event, std::optional<std::int64_t> time) {
  make_sample(event, time);
  if (time) rows_.set_step(step_.of_last(options_.window, *time));
  if (!is_last_scored_ || !is_same(sample_, last_sample_)) {
    is_last_scored_ = true;
    last_sample_ = sample_;
    last_forest_bits_ = forest_.score_next(sample_);
    if (recent_) last_forest_bits_ = std::min(last_forest_bits_, recent_->score_next(sample_));
    last_score_ = last_forest_bits_ - level_.excess();
    last_vanished_ = vanished_.vanishing(metrics_);
    if (!last_vanished_.empty())
      last_score_ = std::max(last_score_, geometry::portable_log2(static_cast<double>(forest().rows().n_rows())));
    is_last_learned_ = false;
  }
  return {.bits = last_score_,
          .is_anomaly = AnomalyRule{.threshold = threshold_}.is_anomaly(last_score_).value_or(false)};
}

void SlidingModel::learn_scored() {
  is_last_scored_ = false;
  forest_.learn_scored(rows_.rows(), nullptr);
  if (recent_) recent_->learn_scored(rows_.rows(), &forest());
  is_last_learned_ = true;
  keep_score(last_forest_bits_, last_score_);
  if (++clock_.n_since_threshold >= forest().rows().n_rows() / thresholds_per_horizon) find_threshold();
  learn_metrics();
}

Model SlidingModel::model() const {
  model::State state = state_of(options_.forest, rows_, forest(), threshold_);
  if (options_.forest.reasons) {
    const forest::CopiedRows horizon(in_order(forest().rows().rows(), state.axis_order), forest().rows().row_numbers());
    state.reasons = model::find_reasons(state, horizon.rows(), {.threads = 1});
  }
  state.options.reasons = options_.forest.reasons;
  return model::Access::made_of(std::move(state));
}

std::size_t SlidingModel::last_row() const { return forest().rows().n_samples() - (is_last_learned_ ? 1 : 0); }

Table SlidingModel::last_window(const Table& event) const {
  std::vector<Column> columns = event.columns();
  const SlidingRows& sliding = forest().rows();
  const schema::Encoder& rows = rows_.rows();
  for (std::size_t f = 0; f < sliding.features().size(); ++f)
    if (const ColumnSchema& column = rows.schema().columns[rows.axes()[f].column];
        column.kind == Kind::continuous && sliding.features()[f].is_line &&
        std::ranges::find(columns, column.name, &Column::name) == columns.end())
      columns.push_back({.name = column.name, .first = sliding.at(last_row()) + sliding.offsets()[f]});
  return {1, std::move(columns)};
}

/// The trees of one view do not know the axes of the others.
const forest::Root& SlidingModel::root_that_knows_beyond() const {
  const std::vector<forest::Root>& roots = forest().roots();
  if (!forest().last_beyond()) return roots.front();
  const std::uint32_t axis = forest().last_beyond()->axis;
  return *std::ranges::find_if(roots, [&](const forest::Root& root) { return std::isfinite(root[axis].high); });
}

Witness SlidingModel::witness_of_vanished() const {
  const SlidingRows& sliding = forest().rows();
  Witness witness{.n_rows = sliding.n_rows()};
  std::vector<std::size_t> numbers;
  for (const std::size_t metric : last_vanished_) {
    const auto has_metric = [&](const Feature& one) {
      const std::size_t seasonal = rows_.n_numbers() + metric;
      const std::size_t number = rows_.is_seasonal(metric) ? seasonal : rows_.metrics()[metric];
      return one.column == number && one.lag == 0 && one.rise_over == 0;
    };
    const auto feature = std::ranges::find_if(rows_.features(), has_metric) - rows_.features().begin();
    const std::size_t column = rows_.rows().axes()[static_cast<std::size_t>(feature)].column;
    witness.conditions.push_back(
        {.column = rows_.rows().schema().columns[column].name, .shape = Condition::Shape::missing});
    numbers.push_back(rows_.metrics()[metric]);
  }
  const auto is_missing = [&](std::size_t row) {
    return std::ranges::all_of(numbers, [&](std::size_t number) { return std::isnan(sliding.at(row)[number]); });
  };
  witness.n_inside = static_cast<std::uint64_t>(std::ranges::count_if(sliding.row_numbers(), is_missing));
  const double counted = witness.n_inside == 0 ? 0.5 : static_cast<double>(witness.n_inside);
  witness.bits = geometry::portable_log2(static_cast<double>(witness.n_rows) / counted);
  return witness;
}

Witness SlidingModel::explain_last() const {
  if (!last_vanished_.empty()) return witness_of_vanished();
  const SlidingRows& sliding = forest().rows();
  const Rows rows = sliding.rows();
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  std::optional<forest::CopiedRows> without_gaps;
  if (numbers.size() < sliding.n_samples()) without_gaps.emplace(rows, numbers);
  Rows horizon = without_gaps ? without_gaps->rows() : rows;
  horizon.n = numbers.size();

  const std::vector<std::size_t> axis_order = numbers_below(rows.columns.size());
  const forest::Forest parts_only{.root = forest().roots().front(), .trees = {}, .isolated = forest().isolated()};
  const explain::Space space{rows_.rows(), axis_order, parts_only.root};
  const explain::IsolatedReasons isolated(parts_only, space);
  if (const auto place = isolated.reason_of(rows, last_row()))
    return isolated.witness(*place, reasons::count_inside({isolated.all()[*place].part}, horizon), horizon.n);
  std::vector<reasons::LeafOfRow> leaves;
  for (const std::size_t t : trees_with_most_bits(forest().last_bits())) {
    const forest::Tree& tree = forest().trees()[t];
    leaves.push_back({&tree, forest().roots()[t], forest::route_plain(tree, rows, last_row())});
  }
  const reasons::ChosenCube cube =
      reasons::choose_cube(leaves, forest().last_beyond(), horizon, root_that_knows_beyond());
  reasons::Neighbours neighbours(cube.parts, axis_order.size());
  neighbours.add(horizon);
  return explain::round_witness_of(cube.parts, reasons::count_inside(cube.parts, horizon), horizon.n, neighbours,
                                   {rows_.rows(), axis_order, cube.root});
}

Finding SlidingModel::find_last(std::optional<double> most_normal) const {
  const model::State state = state_of(options_.forest, rows_, forest(), threshold_);
  const Rows all = forest().rows().rows();
  std::vector<double> row;
  for (const std::size_t axis : state.axis_order) row.push_back(all.columns[axis][last_row()]);
  Rows rows{.n = 1, .columns = {}};
  rows.columns.reserve(row.size());
  for (const double& x : row) rows.columns.push_back({&x});
  const Run run{.threads = 1};
  const Schema& schema = rows_.rows().schema();
  std::vector<double> bits(schema.columns.size());
  model::add_column_bits(state, {*state.forest, *state.book, state.tables}, rows, bits, run);
  Finding finding{.bits = last_score_, .columns = explain::columns_with_bits(bits, explain_last(), schema)};
  finding.is_anomaly = AnomalyRule{.threshold = threshold_}.is_anomaly(last_score_);
  if (most_normal && last_vanished_.empty())
    finding.normal_if = explain::nearest_normal(state, std::move(row), *most_normal, run);
  return finding;
}

void SlidingModel::restore(Saved saved) {
  forest_.restore(std::move(saved.forest));
  if (recent_) recent_->restore(std::move(saved.recent));
  clock_ = saved.clock;
  scores_ = std::move(saved.scores);
  level_ = std::move(saved.level);
  if (season_) season_->restore(saved.season);
  step_ = saved.step;
  means_.restore(saved.means);
  vanished_.restore(saved.vanished);
  threshold_ = saved.threshold;
}

}  // namespace pidforest::stream
