// SPDX-License-Identifier: Apache-2.0
// The laws of streams: their counts equal those of a batch, and how events are passed in changes nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/count.h"
#include "model/state.h"
#include "random_table.h"
#include "reasons/reasons.h"
#include "schema/encoded_table.h"
#include "stream/stream_state.h"

namespace pidforest {
namespace {

using stream::SlidingForest;
using stream::SlidingRows;

StreamOptions any_stream_options() {
  StreamOptions options{.forest = any_options()};
  options.forest.count_rows = Options::all_rows;
  options.forest.n_estimators = std::min<std::int64_t>(options.forest.n_estimators, 7);
  return options;
}

/// With windows, changes, means, and a second forest where there are enough events.
StreamOptions any_windows(std::size_t warm_up, std::size_t horizon) {
  StreamOptions options = any_stream_options();
  options.warm_up = warm_up;
  options.horizon = horizon;
  options.window = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(horizon, 6));
  options.views = *rc::gen::element(WindowViews::lags, WindowViews::lags_and_changes);
  options.recent = *rc::gen::inRange<std::size_t>(2, std::max<std::size_t>(horizon / 2, 2) + 1);
  options.means = *rc::gen::element(std::vector<std::size_t>{}, std::vector<std::size_t>{2, 30, 7});
  return options;
}

/// Asserts that scores are equal to the last bit, and absent in the same places.
void assert_same(const std::vector<EventScore>& a, const std::vector<EventScore>& b) {
  RC_ASSERT(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(a[i].bits) == std::bit_cast<std::uint64_t>(b[i].bits));
    RC_ASSERT(a[i].is_anomaly == b[i].is_anomaly);
  }
}

using EventTimes = std::vector<std::int64_t>;

/// No times, or steps of a quarter of a day with a few others, so that seasons become known and names change.
EventTimes any_event_times(std::size_t n) {
  constexpr std::int64_t quarter = 6LL * 3600 * 1'000'000;
  if (*rc::gen::arbitrary<bool>()) return {};
  EventTimes times;
  std::int64_t time = 0;
  for (std::size_t i = 0; i < n; ++i)
    times.push_back(time += *rc::gen::inRange(0, 20) == 0 ? quarter * *rc::gen::inRange(-4, 9) : quarter);
  return times;
}

std::span<const std::int64_t> part(const EventTimes& times, std::size_t begin, std::size_t end) {
  return times.empty() ? std::span<const std::int64_t>() : std::span(times).subspan(begin, end - begin);
}

std::vector<EventScore> updated_in_pieces(Stream& stream, const Table& table, const EventTimes& times) {
  std::vector<EventScore> scored;
  for (std::size_t begin = 0; begin < table.n_rows();) {
    const std::size_t end = std::min(table.n_rows(), begin + *rc::gen::inRange<std::size_t>(1, 40));
    for (const EventScore& one : stream.update(table.rows(begin, end), {}, part(times, begin, end)))
      scored.push_back(one);
    begin = end;
  }
  return scored;
}

/// The table with some values changed. A stream cannot place a level that is not in the hierarchy.
OwnedTable with_other_values(OwnedTable table) {
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    const ColumnSort sort = table.sorts[i % table.n_columns()];
    if (sort != ColumnSort::hierarchy)
      table.values[i] = *rc::gen::element(table.values[i], other_value(sort, table.values[i]));
  }
  return table;
}

RC_GTEST_PROP(StreamLaw, a_stream_that_is_just_warm_scores_as_a_batch, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 2);
  StreamOptions options = any_stream_options();
  options.horizon = options.warm_up = owned.n_rows();
  options.forest.related_share = 0;  // not used by streams
  Stream stream(options, owned.schema());
  stream.learn(owned.table());
  const Model model = owned.fit(options.forest);
  const OwnedTable other = with_other_values(owned);
  const std::vector<double> bits = model.score(other.table());
  // The bits outside the root cube are summed in a different order.
  for (std::size_t row = 0; row < std::min<std::size_t>(bits.size(), 20); ++row)
    RC_ASSERT(std::abs(stream.score(other.table().rows(row, row + 1)).bits - bits[row]) <=
              1e-10 * (1 + std::abs(bits[row])));
}

/// Counts the rows of the horizon that reach each node, with the code for batches.
Counts counted_as_a_batch(const SlidingForest& sliding) {
  const SlidingRows& all = sliding.rows();
  const forest::CopiedRows rows(all.rows(), all.row_numbers());
  Counts counts;
  for (std::size_t t = 0; t < sliding.trees().size(); ++t) {
    const forest::Forest alone{.root = sliding.roots()[t], .trees = {sliding.trees()[t]}};
    counts.trees.push_back(count_rows(alone, forest::CodeBook(alone), rows.rows(), {}).trees[0]);
  }
  return counts;
}

RC_GTEST_PROP(StreamLaw, counts_are_those_of_the_last_rows, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 8);
  const auto warm_up = *rc::gen::inRange<std::size_t>(2, owned.n_rows() / 2);
  const StreamOptions options = any_windows(warm_up, *rc::gen::inRange<std::size_t>(warm_up, 2 * owned.n_rows()));
  Stream stream(options, owned.schema());
  for (std::size_t row = 0; row < owned.n_rows(); ++row) {
    if (*rc::gen::inRange(0, 50) == 0) stream.start_segment();
    stream.learn(owned.table().rows(row, row + 1));
  }
  if (stream.n_to_warm_up() > 0) return;
  const stream::SlidingModel& model = *stream::state_of(stream).model;
  if (model.recent()) RC_ASSERT(model.recent()->sliding().counts() == counted_as_a_batch(model.recent()->sliding()));
  const SlidingForest& sliding = model.forest();
  RC_ASSERT(sliding.rows().n_samples() == std::min(options.horizon, owned.n_rows()));
  const Counts counts = stream.counts();
  RC_ASSERT(counts.trees[0][0] == sliding.rows().n_rows());
  RC_ASSERT(counts == counted_as_a_batch(sliding));
}

RC_GTEST_PROP(StreamLaw, rows_are_windows_of_the_events_of_one_segment, ()) {
  const std::size_t window = *rc::gen::inRange<std::size_t>(1, 6);
  const std::size_t horizon = *rc::gen::inRange<std::size_t>(window + 1, 40);
  std::vector<stream::Feature> features;
  for (std::size_t column = 0; column < 2; ++column)
    for (std::size_t lag = window; lag-- > 0;) features.push_back({.column = column, .lag = lag});
  for (std::size_t over = 1; over < window; ++over) features.push_back({.column = 1, .rise_over = over});
  SlidingRows sliding(2, features, horizon);
  const auto value = [](std::size_t sample, std::size_t column) {
    return static_cast<double>(10 * sample * sample + column);
  };
  const std::size_t n = *rc::gen::inRange<std::size_t>(0, 200);
  for (std::size_t i = 0; i < n; ++i) {
    sliding.set_next(std::vector<double>{value(i, 0), value(i, 1)}, i + 1 >= window);
    sliding.take(i + 1 >= window);
  }
  const forest::Rows rows = sliding.rows();
  RC_ASSERT(sliding.n_samples() == std::min(n, horizon));
  for (std::size_t i = 0; i < sliding.n_samples(); ++i) {
    const std::size_t sample = static_cast<std::size_t>(sliding.n_dropped()) + i;
    RC_ASSERT(sliding.is_row(i) == (sample + 1 >= window));
    for (std::size_t f = 0; sliding.is_row(i) && f < features.size(); ++f) {
      const auto [column, lag, over, is_mean, is_line] = features[f];
      RC_ASSERT(rows.columns[f][i] == value(sample - lag, column) - (over > 0 ? value(sample - over, column) : 0));
    }
  }
}

RC_GTEST_PROP(StreamLaw, saving_and_restoring_changes_nothing, ()) {
  const OwnedTable owned = any_table(200);
  RC_PRE(owned.n_rows() >= 8);
  const std::size_t warm_up = owned.n_rows() / 4;
  const StreamOptions options = any_windows(warm_up, *rc::gen::inRange<std::size_t>(warm_up, owned.n_rows()));
  const std::size_t place = *rc::gen::inRange<std::size_t>(0, owned.n_rows() + 1);
  const EventTimes times = any_event_times(owned.n_rows());
  Stream whole(options, owned.schema());
  Stream before(options, owned.schema());
  const std::vector<EventScore> expected = whole.update(owned.table(), {}, times);
  std::vector<EventScore> scored = before.update(owned.table().rows(0, place), {}, part(times, 0, place));
  const std::string bytes = before.to_bytes();
  Stream after = Stream::from_bytes(bytes);
  RC_ASSERT(after.to_bytes() == bytes);
  const Table rest = owned.table().rows(place, owned.n_rows());
  for (const EventScore& one : after.update(rest, {}, part(times, place, owned.n_rows()))) scored.push_back(one);
  assert_same(scored, expected);
  RC_ASSERT(after.to_bytes() == whole.to_bytes());
}

RC_GTEST_PROP(StreamLaw, how_many_events_come_at_once_changes_nothing, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 8);
  const StreamOptions options = any_windows(owned.n_rows() / 4, owned.n_rows() / 2);
  Stream at_once(options, owned.schema());
  Stream in_pieces(options, owned.schema());
  const EventTimes times = any_event_times(owned.n_rows());
  assert_same(at_once.update(owned.table(), {}, times), updated_in_pieces(in_pieces, owned.table(), times));
}

/// A stream that has learned all rows of a table, with trees of different ages if the table is long enough.
Stream any_stream_of(const OwnedTable& owned) {
  StreamOptions options = any_stream_options();
  options.warm_up = *rc::gen::inRange<std::size_t>(2, owned.n_rows() / 2);
  options.horizon = *rc::gen::inRange<std::size_t>(options.warm_up, owned.n_rows());
  Stream stream(options, owned.schema());
  stream.learn(owned.table());
  return stream;
}

RC_GTEST_PROP(StreamLaw, the_model_of_a_stream_scores_as_the_stream_would_next, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 8);
  Stream stream = any_stream_of(owned);
  const Model model = stream.model();
  RC_ASSERT(model.counts() == stream.counts());
  RC_ASSERT(model.threshold() == stream.threshold());
  const OwnedTable other = with_other_values(owned);
  const std::vector<double> bits = model.score(other.table());
  // Bits beyond the root cubes are added up in another order.
  for (std::size_t row = 0; row < bits.size(); ++row)
    RC_ASSERT(std::abs(stream.score(other.table().rows(row, row + 1)).bits - bits[row]) <=
              1e-10 * (1 + std::abs(bits[row])));
}

RC_GTEST_PROP(StreamLaw, the_model_of_a_stream_comes_back_from_its_bytes, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 8);
  const Model model = any_stream_of(owned).model();
  const Model again = Model::from_bytes(model.to_bytes());
  RC_ASSERT(again == model);
  RC_ASSERT(again.to_bytes() == model.to_bytes());
  const OwnedTable other = with_other_values(owned);
  RC_ASSERT(again.score(other.table()) == model.score(other.table()));
}

RC_GTEST_PROP(StreamLaw, the_reasons_of_the_model_of_a_stream_are_counted_in_its_horizon, ()) {
  const OwnedTable owned = any_table(300);
  RC_PRE(owned.n_rows() >= 8);
  StreamOptions options = any_stream_options();
  options.forest.reasons = true;
  options.warm_up = owned.n_rows() / 4;
  options.horizon = owned.n_rows() / 2;
  Stream stream(options, owned.schema());
  stream.learn(owned.table());
  const Model model = stream.model();
  const model::State& state = model::state_of(model);
  const reasons::Reasons& reasons = *state.reasons;
  const schema::EncodedTable encoded(state.encoder,
                                     owned.table().rows(owned.n_rows() - options.horizon, owned.n_rows()), {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  RC_ASSERT(reasons.counts[0] == options.horizon);
  for (std::uint32_t cube = 0; cube < reasons.cubes.size(); ++cube)
    RC_ASSERT(reasons.counts[cube] == reasons::count_inside(reasons.parts_of(cube), rows));
}

RC_GTEST_PROP(StreamLaw, the_bits_of_the_columns_add_up_to_the_mean_score, ()) {
  const OwnedTable owned = any_table(200);
  RC_PRE(owned.n_rows() >= 8);
  StreamOptions options = any_stream_options();
  options.forest.aggregate = Aggregate::mean;
  options.warm_up = owned.n_rows() / 4;
  options.horizon = owned.n_rows() / 2;
  Stream stream(options, owned.schema());
  stream.learn(owned.table());
  const OwnedTable other = with_other_values(owned);
  const Table event = other.table().rows(0, 1);
  const double bits = stream.score(event).bits;
  const Finding reasons = stream.find_last(bits - 1e-9);
  double sum = 0;
  for (const ColumnBits& one : reasons.columns) sum += one.bits;
  RC_ASSERT(std::abs(sum - bits) <= 1e-9 * (1 + std::abs(bits)));
  // It is what the model says of the same row.
  const Model model = stream.model();
  const std::vector<double> by_model = model.column_bits(event);
  for (const ColumnBits& one : reasons.columns) RC_ASSERT(by_model[one.column] == one.bits);
  RC_ASSERT(nearest_normal(model, event, bits - 1e-9) == reasons.normal_if);
}

}  // namespace
}  // namespace pidforest
