// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "fixed_checksums.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "temporary_folder.h"

namespace pidforest {
namespace {

/// Numbers around a level, from a generator of its own.
class Source {
 public:
  double near(double level) { return level + normal_(random_); }
  std::vector<double> many(std::size_t n, double level) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(near(level));
    return values;
  }

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_{};
};

Table one_column(const std::vector<double>& values) { return Table::row_major(values, 1, {"x"}); }

std::vector<EventScore> update(Stream& stream, const std::vector<double>& values) {
  return stream.update(one_column(values));
}

double score(Stream& stream, double x) { return stream.score(one_column({x})).bits; }

TEST(stream, says_that_it_is_warming_up_instead_of_guessing) {
  Source source;
  Stream stream({.horizon = 500, .warm_up = 100});
  EXPECT_EQ(stream.n_to_warm_up(), 100U);
  for (const EventScore& one : update(stream, source.many(99, 0))) EXPECT_TRUE(std::isnan(one.bits));
  EXPECT_EQ(stream.n_to_warm_up(), 1U);
  EXPECT_EQ(stream.schema(), nullptr);
  EXPECT_TRUE(std::isnan(score(stream, 100)));
  (void)update(stream, {0});
  EXPECT_EQ(stream.n_to_warm_up(), 0U);
  EXPECT_FALSE(std::isnan(score(stream, 0)));
  EXPECT_TRUE(stream.score(one_column({100})).is_anomaly);
  EXPECT_EQ(stream.n_learned(), 100U);
}

TEST(stream, scoring_learns_nothing) {
  Source source;
  Stream stream({.horizon = 500, .warm_up = 100});
  (void)update(stream, source.many(300, 0));
  const std::string before = stream.to_bytes();
  for (int i = 0; i < 50; ++i) (void)score(stream, 100);
  EXPECT_EQ(stream.to_bytes(), before);
}

TEST(stream, follows_a_shift_within_a_horizon_and_forgets_what_was_before) {
  Source source;
  Stream stream({.horizon = 1000, .warm_up = 200});
  (void)update(stream, source.many(2000, 0));
  EXPECT_TRUE(stream.score(one_column({50})).is_anomaly);
  (void)update(stream, source.many(1000, 50));
  EXPECT_FALSE(stream.score(one_column({50})).is_anomaly);
  EXPECT_TRUE(stream.score(one_column({0})).is_anomaly);
}

TEST(stream, a_slow_drift_is_no_anomaly) {
  Source source;
  Stream stream({.horizon = 1000, .warm_up = 200});
  std::size_t n_flagged = 0;
  for (int i = 0; i < 6000; ++i) n_flagged += stream.update(one_column({source.near(0.01 * i)}))[0].is_anomaly ? 1 : 0;
  EXPECT_LT(n_flagged, 300U);
}

TEST(stream, the_threshold_follows_the_stream) {
  Source source;
  Stream stream({.forest = {.contamination = 0.1}, .horizon = 1000, .warm_up = 200});
  std::size_t n_flagged = 0;
  (void)update(stream, source.many(1000, 0));
  for (const EventScore& one : update(stream, source.many(4000, 0))) n_flagged += one.is_anomaly ? 1 : 0;
  EXPECT_GT(n_flagged, 300U);
  EXPECT_LT(n_flagged, 500U);
  Stream without({.forest = {.contamination = Options::none}, .horizon = 1000, .warm_up = 200});
  (void)update(without, source.many(1000, 0));
  EXPECT_EQ(without.threshold(), std::nullopt);
}

TEST(stream, no_window_crosses_the_beginning_of_a_segment) {
  Source source;
  Stream stream({.horizon = 500, .warm_up = 100, .window = 3});
  (void)update(stream, source.many(101, 0));
  EXPECT_EQ(stream.n_to_warm_up(), 1U);
  (void)update(stream, {0});
  ASSERT_NE(stream.schema(), nullptr);
  std::vector<std::string> names;
  for (const ColumnSchema& column : stream.schema()->columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x 2 samples earlier", "x 1 sample earlier", "x",
                                             "rise of x within 1 sample", "rise of x within 2 samples"}));
  stream.start_segment();
  const std::vector<EventScore> scored = update(stream, {0, 0, 0});
  EXPECT_TRUE(std::isnan(scored[0].bits) && std::isnan(scored[1].bits));
  EXPECT_FALSE(std::isnan(scored[2].bits));
}

TEST(stream, a_window_shows_what_single_events_do_not) {
  Source source;
  Stream stream({.horizon = 1000, .warm_up = 200, .window = 4});
  std::vector<double> saw;
  for (int i = 0; i < 2000; ++i) saw.push_back(source.near(10 * (i % 2)));
  (void)update(stream, saw);
  EXPECT_GT(score(stream, 10), score(stream, 0) + 1);
}

TEST(stream, the_reason_has_the_counts_of_the_horizon) {
  Source source;
  Stream stream({.horizon = 400, .warm_up = 100});
  std::vector<double> values;
  for (int i = 0; i < 900; ++i) {
    values.push_back(source.near(0));
    values.push_back(source.near(10));
  }
  (void)stream.update(Table::row_major(values, 2, {"cpu", "memory"}));
  const std::vector<double> far{40, 10};
  ASSERT_TRUE(stream.update(Table::row_major(far, 2, {"cpu", "memory"}))[0].is_anomaly);
  const Witness witness = stream.explain_last();
  ASSERT_EQ(witness.conditions.size(), 1U);
  EXPECT_EQ(witness.conditions[0].column, "cpu");
  EXPECT_EQ(witness.n_rows, 400U);
  values.insert(values.end(), far.begin(), far.end());
  const Table last = Table::row_major(std::span(values).last(800), 2, {"cpu", "memory"});
  const std::vector<bool> inside = RowFilter(*stream.schema(), witness.conditions).matches(last);
  EXPECT_EQ(witness.n_inside, static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), true)));
  EXPECT_TRUE(inside.back());
}

TEST(stream, there_is_no_model_before_the_warm_up_ends) {
  const Stream stream({.horizon = 400, .warm_up = 100});
  EXPECT_THROW((void)stream.model(), InvalidInput);
  EXPECT_THROW((void)stream.find_last({}), InvalidInput);
}

/// Windows of two events of a stream that drifts, so that its trees have different root cubes. No tree looks at
/// changes.
struct DriftingStream {
  DriftingStream() {
    Source source;
    for (int i = 0; i < 900; ++i) values.push_back(source.near(i / 20.0));
    (void)stream.update(Table::row_major(values, 1, {"cpu"}));
  }

  std::vector<double> values;
  Stream stream{StreamOptions{.horizon = 400, .warm_up = 100, .window = 2, .views = WindowViews::lags}};
};

TEST(stream, a_model_scores_windows_by_the_root_cube_of_each_tree) {
  DriftingStream drifting;
  const Model model = drifting.stream.model();
  EXPECT_FALSE(model::state_of(model).forest->own_roots.empty());
  for (const double next : {45.0, 44.0, 0.0, 1000.0, -3.0}) {
    const std::vector<double> window{drifting.values.back(), next};
    const std::vector<double> event{next};
    const double bits = drifting.stream.score(Table::row_major(event, 1, {"cpu"})).bits;
    EXPECT_NEAR(model.score(Table::row_major(window, 2, {"cpu 1 sample earlier", "cpu"}))[0], bits, 1e-9) << next;
  }
}

TEST(stream, a_model_explains_an_event_as_the_stream_does) {
  DriftingStream drifting;
  const std::vector<double> far{1000};
  ASSERT_TRUE(drifting.stream.score(Table::row_major(far, 1, {"cpu"})).is_anomaly);
  const Model model = drifting.stream.model();
  std::vector<double> windows;
  for (std::size_t i = drifting.values.size() - 400; i < drifting.values.size(); ++i) {
    windows.push_back(drifting.values[i - 1]);
    windows.push_back(drifting.values[i]);
  }
  const std::vector<double> window{drifting.values.back(), 1000};
  const Table horizon = Table::row_major(windows, 2, {"cpu 1 sample earlier", "cpu"});
  const Table& reference = horizon;
  const Explanations explained =
      Explainer(model, reference).explain(Table::row_major(window, 2, {"cpu 1 sample earlier", "cpu"}));
  const Witness witness = drifting.stream.explain_last();
  ASSERT_EQ(explained.witnesses[0].conditions.size(), 1U);
  ASSERT_EQ(witness.conditions.size(), 1U);
  EXPECT_EQ(explained.witnesses[0].conditions[0].column, witness.conditions[0].column);
  EXPECT_EQ(explained.witnesses[0].n_rows, witness.n_rows);
  EXPECT_EQ(explained.witnesses[0].n_inside, witness.n_inside);
}

TEST(stream, a_model_counts_its_reasons_in_the_horizon) {
  DriftingStream drifting;
  const Model model = drifting.stream.model();
  ASSERT_TRUE(model.has_reasons());
  const std::vector<double> window{drifting.values.back(), 1000};
  const Table event = Table::row_major(window, 2, {"cpu 1 sample earlier", "cpu"});
  const Witness witness = Explainer(model).explain(event).witnesses[0];
  EXPECT_EQ(witness.n_rows, 400U);
  EXPECT_EQ(witness.n_inside, 0U);
  ASSERT_EQ(witness.conditions.size(), 1U);
  EXPECT_EQ(witness.conditions[0].column, "cpu");
}

TEST(stream, a_model_has_no_reasons_if_the_option_is_off) {
  StreamOptions options{.horizon = 400, .warm_up = 100};
  options.forest.reasons = false;
  Stream stream(options);
  Source source;
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(source.near(i / 20.0));
  (void)stream.update(Table::row_major(values, 1, {"cpu"}));
  EXPECT_FALSE(stream.model().has_reasons());
}

TEST(stream, the_nearest_normal_value_lies_in_all_root_cubes_and_is_normal) {
  DriftingStream drifting;
  const std::vector<double> far{1000};
  ASSERT_TRUE(drifting.stream.score(Table::row_major(far, 1, {"cpu"})).is_anomaly);
  const Finding reasons = drifting.stream.find_last(drifting.stream.threshold());
  ASSERT_TRUE(reasons.normal_if.has_value());
  ASSERT_EQ(reasons.normal_if->size(), 1U);
  const Condition& condition = reasons.normal_if->front();
  EXPECT_EQ(condition.column, "cpu");
  const geometry::Interval common = forest::common_root(*model::state_of(drifting.stream.model()).forest)[1];
  ASSERT_LT(common.low, common.high);
  const std::vector<double> event{std::max(condition.low, common.low)};
  EXPECT_LE(event[0], common.high);
  EXPECT_LE(drifting.stream.score(Table::row_major(event, 1, {"cpu"})).bits, *drifting.stream.threshold());
}

TEST(stream, a_score_is_told_before_its_event_is_learned) {
  DriftingStream drifting;
  const std::vector<double> far{1000};
  const double bits = drifting.stream.score(Table::row_major(far, 1, {"cpu"})).bits;
  const std::uint64_t n_learned = drifting.stream.n_learned();
  std::vector<Finding> found;
  const std::vector<double> events{1000, 45};
  (void)drifting.stream.update(Table::row_major(events, 1, {"cpu"}),
                               [&](const EventScore&) { found.push_back(drifting.stream.find_last({})); });
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].bits, bits);
  EXPECT_EQ(found[0].row, n_learned);
  EXPECT_EQ(found[1].row, n_learned + 1);
}

TEST(stream, a_column_of_an_earlier_event_has_no_value_in_the_reason) {
  const std::vector<double> event{10};
  const Table table = Table::row_major(event, 1, {"cpu"});
  const Schema schema{
      {{.name = "cpu 1 sample earlier", .kind = Kind::continuous}, {.name = "cpu", .kind = Kind::continuous}}};
  const Witness witness{.conditions = {{.column = "cpu", .shape = Condition::Shape::range, .low = 5}},
                        .volume = 0.5,
                        .n_inside = 1,
                        .n_rows = 100,
                        .bits = 5.6};
  Finding finding{.bits = 5, .columns = {{.column = 0, .bits = 3}, {.column = 1, .bits = 2}}};
  describe(finding, witness, table, 0, schema);
  EXPECT_EQ(finding.columns[0].column, 1U);
  EXPECT_EQ(
      reason_in_words(finding, witness, schema),
      "cpu = 10: only 1 of 100 rows is at or above 5 (50 % of the range, 5.6 bits); cpu 1 sample earlier (+3.0 bits)");
}

TEST(stream, a_new_category_is_rare_first_and_ordinary_later) {
  const std::vector<std::string_view> old{"get", "get", "get", "put"};
  const std::vector<std::string_view> fresh{"get", "patch"};
  const auto table = [](const std::vector<std::string_view>& texts) {
    return Table(texts.size(), {Column::of_texts("verb", texts.data())});
  };
  Stream stream({.horizon = 300, .warm_up = 100});
  for (int i = 0; i < 100; ++i) (void)stream.update(table(old));
  const std::vector<std::string_view> one{"patch"};
  const double at_first = stream.update(table(one))[0].bits;
  for (int i = 0; i < 300; ++i) (void)stream.update(table(fresh));
  EXPECT_GT(at_first, stream.score(table(one)).bits + 1);
  const std::vector<std::string>& levels = stream.schema()->columns[0].levels;
  EXPECT_EQ(levels, (std::vector<std::string>{"get", "put", "patch"}));
}

TEST(stream, what_does_not_fit_is_refused_by_column_and_changes_nothing) {
  Source source;
  Stream stream({.horizon = 500, .warm_up = 100});
  (void)update(stream, source.many(200, 0));
  const std::string before = stream.to_bytes();
  const auto complaint_of = [&](const Table& table) -> std::string {
    try {
      (void)stream.update(table);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::vector<double> values{1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(complaint_of(one_column(values)), "row 2, column 'x': must be finite; got 'inf'.");
  EXPECT_EQ(complaint_of(Table::row_major(values, 1, {"y"})),
            "the table has no column 'x', which the model was fitted on.");
  EXPECT_EQ(stream.to_bytes(), before);
}

TEST(stream, a_batch_with_an_event_that_does_not_fit_after_the_warm_up_changes_nothing) {
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.push_back("2026-03-01 12:" + std::to_string(10 + i));
  texts[20] = "noon";
  const std::vector<std::string_view> times(texts.begin(), texts.end());
  const Table events(times.size(), {Column::of_texts("at", times.data())});
  Stream stream({.warm_up = 8});
  stream.learn(events.rows(0, 5));
  const std::string before = stream.to_bytes();
  EXPECT_THROW(stream.learn(events), InvalidInput);
  EXPECT_EQ(stream.to_bytes(), before);
  stream.learn(events.rows(0, 20));
  EXPECT_EQ(stream.n_learned(), 25U);
}

TEST(stream, options_are_checked) {
  const auto complaint_of = [](const StreamOptions& options) -> std::string {
    try {
      const Stream stream(options);
    } catch (const InvalidOption& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint_of({.horizon = 1}), "horizon must be between 2 and 10000000 events; got 1.");
  EXPECT_EQ(complaint_of({.horizon = 100}), "warm_up must be between 2 and 100, the horizon; got 256.");
  EXPECT_EQ(complaint_of({.window = 0}), "window must be between 1 and 10000 events; got 0.");
  EXPECT_EQ(complaint_of({.window = 5000}), "window must be at most 2048, the horizon; got 5000.");
  EXPECT_EQ(complaint_of({.recent = 1}), "recent must be 0 or between 2 and 10000000 events; got 1.");
  EXPECT_EQ(complaint_of({.forest = preset("paper")}),
            "count_rows must be all: a stream counts all rows of its horizon.");
}

TEST(stream, views_are_named) {
  EXPECT_EQ(window_views("lags"), WindowViews::lags);
  EXPECT_EQ(window_views(name_of(WindowViews::lags_and_changes)), WindowViews::lags_and_changes);
  try {
    (void)window_views("changes");
    FAIL();
  } catch (const InvalidOption& error) {
    EXPECT_STREQ(error.what(), "views must be one of lags and lags,changes; got 'changes'.");
  }
}

TEST(arrival, late_and_duplicate_events_are_told) {
  Stream stream;
  EXPECT_EQ(stream.arrive(100, 1), Arrival::next);
  EXPECT_EQ(stream.arrive(100, 1), Arrival::duplicate);
  EXPECT_EQ(stream.arrive(100, 2), Arrival::next);
  EXPECT_EQ(stream.arrive(90, 3), Arrival::late);
  EXPECT_EQ(stream.arrive(101, 4), Arrival::next);
}

TEST(arrival, a_clock_that_was_set_back_is_believed_after_sixteen_events) {
  Stream stream;
  (void)stream.arrive(1000, 1);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(stream.arrive(i, 2), Arrival::late);
  EXPECT_EQ(stream.arrive(15, 2), Arrival::next);
  EXPECT_EQ(stream.arrive(16, 2), Arrival::next);
  EXPECT_EQ(stream.arrive(12, 2), Arrival::late);
  for (std::int64_t i = 0; i < 40; ++i) EXPECT_EQ(stream.arrive(11 - i, 2), Arrival::late);
}

TEST(arrival, a_gap_begins_a_segment) {
  Source source;
  Stream stream({.horizon = 500, .warm_up = 100, .window = 2});
  std::int64_t time = 0;
  const auto next = [&](std::int64_t step) {
    EXPECT_EQ(stream.arrive(time += step, 0, 10), Arrival::next);
    return stream.update(one_column({source.near(0)}))[0].bits;
  };
  for (int i = 0; i < 200; ++i) (void)next(10);
  EXPECT_FALSE(std::isnan(next(10)));
  EXPECT_TRUE(std::isnan(next(11)));
  EXPECT_FALSE(std::isnan(next(10)));
}

TEST(arrival, the_longest_gap_begins_a_segment) {
  Stream stream({.horizon = 4, .warm_up = 2, .window = 2});
  const auto next = [&](std::int64_t time) {
    EXPECT_EQ(stream.arrive(time, 0, 10), Arrival::next);
    return stream.update(one_column({1}))[0].bits;
  };
  using Times = std::numeric_limits<std::int64_t>;
  for (int i = 0; i < 4; ++i) (void)next(Times::min() + i);
  EXPECT_FALSE(std::isnan(next(Times::min() + 4)));
  EXPECT_TRUE(std::isnan(next(Times::max())));
}

TEST(keyed_streams, forgets_the_key_that_was_used_longest_ago) {
  KeyedStreams streams({.horizon = 50, .warm_up = 10}, {}, 2);
  Source source;
  (void)update(streams.of("a"), source.many(20, 0));
  (void)update(streams.of("b"), source.many(20, 0));
  EXPECT_EQ(streams.of("a").n_learned(), 20U);
  (void)update(streams.of("c"), source.many(20, 0));
  EXPECT_EQ(streams.n_keys(), 2U);
  EXPECT_EQ(streams.n_forgotten(), 1U);
  EXPECT_EQ(streams.of("a").n_learned(), 20U);
  EXPECT_EQ(streams.of("b").n_learned(), 0U);
}

TEST(keyed_streams, go_on_from_a_file_as_if_nothing_had_happened) {
  const TemporaryFolder folder;
  const std::string path = folder.at("state.pidf");
  KeyedStreams streams({.horizon = 50, .warm_up = 10}, {}, 3);
  Source source;
  for (const char* key : {"a", "b", "c", "d"})
    (void)update(streams.of(key), source.many(static_cast<std::size_t>(key[0]) - 89, 0));
  streams.save(path, "offset 17");
  auto [loaded, note] = KeyedStreams::load(path, 3);
  EXPECT_EQ(note, "offset 17");
  EXPECT_EQ(loaded.n_forgotten(), 1U);
  const std::vector<double> more = source.many(100, 0);
  for (const char* key : {"e", "d", "c"}) {
    (void)update(streams.of(key), more);
    (void)update(loaded.of(key), more);
    EXPECT_EQ(loaded.of(key).to_bytes(), streams.of(key).to_bytes());
  }
  EXPECT_EQ(KeyedStreams::load(path, 2).first.n_keys(), 2U);
}

TEST(keyed_streams, refuses_a_damaged_file) {
  Stream stream({.horizon = 50, .warm_up = 10});
  Source source;
  (void)update(stream, source.many(60, 0));
  const std::string bytes = stream.to_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 97) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_THROW((void)Stream::from_bytes(damaged), BadFile) << i;
  }
  EXPECT_THROW((void)Stream::from_bytes(std::string_view(bytes).substr(0, bytes.size() / 2)), BadFile);
  try {
    (void)Model::from_bytes(bytes);
    FAIL();
  } catch (const BadFile& error) {
    EXPECT_NE(std::string(error.what()).find("state of a stream"), std::string::npos);
  }
}

/// Every six hours.
std::int64_t time_of(std::size_t event) { return static_cast<std::int64_t>(event) * 6 * 3600 * 1'000'000; }

/// The bytes of a stream with a number that may be missing and a category, before or after warm-up. With times the
/// number has a season, which is known after 50 events.
std::string bytes_of_stream(std::size_t n_events, bool has_times) {
  Source source;
  Stream stream({.forest = {.n_estimators = 3}, .horizon = 80, .warm_up = 20, .window = 2, .recent = 30, .means = {3}});
  const std::vector<std::string_view> levels{"a", "b", "c", "c"};
  for (std::size_t i = 0; i < n_events; ++i) {
    const double season = i % 4 == 0 ? 50 : 0;
    const double x = i % 7 == 3 ? std::numeric_limits<double>::quiet_NaN() : source.near(season);
    const std::int64_t time = time_of(i);
    stream.learn(Table(1, {{"x", &x}, Column::of_texts("k", &levels[i % 4])}), std::span(&time, has_times ? 1 : 0));
  }
  return stream.to_bytes();
}

TEST(stream_file, the_forged_states_have_a_season) {
  const Stream stream = Stream::from_bytes(bytes_of_stream(100, true));
  EXPECT_EQ(stream.schema()->columns[1].name, "x minus usual");
}

RC_GTEST_PROP(StreamFile, a_forged_state_is_refused_or_goes_on, ()) {
  static const std::vector<std::string> states{bytes_of_stream(10, false), bytes_of_stream(30, false),
                                               bytes_of_stream(100, false), bytes_of_stream(10, true),
                                               bytes_of_stream(100, true)};
  const auto chosen = *rc::gen::inRange<std::size_t>(0, states.size());
  std::string bytes = states[chosen];
  const int n_changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < n_changes; ++i)
    bytes[*rc::gen::inRange<std::size_t>(file::header_size, bytes.size())] =
        static_cast<char>(*rc::gen::inRange(0, 256));
  try {
    Stream stream = Stream::from_bytes(with_fixed_checksums(bytes));
    const std::vector<std::string_view> level{"d"};
    for (std::size_t i = 0; i < 60; ++i) {
      const auto x = static_cast<double>(i);
      const std::int64_t time = time_of(100 + i);
      stream.learn(Table(1, {{"x", &x}, Column::of_texts("k", level.data())}), std::span(&time, chosen > 2 ? 1 : 0));
    }
    if (stream.n_to_warm_up() == 0) (void)stream.explain_last();
  } catch (const BadFile&) {
  } catch (const InvalidInput&) {  // the columns have other names or kinds, or events no times
  }
}

}  // namespace
}  // namespace pidforest
