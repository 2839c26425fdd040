// SPDX-License-Identifier: Apache-2.0
// What the trees of a stream look at: all values of the window, or the last ones and their changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "file/sections.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "stream/stream_rows.h"
#include "stream/stream_state.h"

namespace pidforest {
namespace {

/// A slow noisy swing between -4 and 4.
class Swing {
 public:
  double next() { return 4 * std::sin(++n_ / 60.0) + 0.1 * normal_(random_); }

 private:
  std::mt19937_64 random_{3};
  std::normal_distribution<double> normal_{};
  double n_ = 0;
};

Table event_of(const double& x) { return Table(1, {{.name = "cpu", .first = &x}}); }

/// A stream that has learned a swing up to where it is high.
Stream at_the_top(const StreamOptions& options) {
  Swing swing;
  Stream stream(options);
  for (int i = 0; i < 2356; ++i) {
    const double x = swing.next();
    stream.learn(event_of(x));
  }
  return stream;
}

constexpr StreamOptions all_views{.window = 8};
constexpr StreamOptions only_lags{.window = 8, .views = WindowViews::lags};

TEST(views, rises_are_over_short_spans_within_the_window) {
  EXPECT_TRUE(stream::rise_spans(1).empty());
  EXPECT_EQ(stream::rise_spans(2), (std::vector<std::size_t>{1}));
  EXPECT_EQ(stream::rise_spans(5), (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(stream::rise_spans(1000), (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(views, a_fall_to_a_usual_value_is_seen_as_a_change) {
  const double low = -1;  // usual, but not after values around 4
  Stream with_changes = at_the_top(all_views);
  Stream without = at_the_top(only_lags);
  EXPECT_TRUE(with_changes.score(event_of(low)).is_anomaly);
  EXPECT_GT(with_changes.score(event_of(low)).bits, without.score(event_of(low)).bits + 2);
}

TEST(views, the_reason_names_the_rise_and_its_own_value) {
  const double low = -1;
  Stream stream = at_the_top(all_views);
  (void)stream.score(event_of(low));
  const Witness witness = stream.explain_last();
  ASSERT_FALSE(witness.conditions.empty());
  Finding finding = stream.find_last({});
  const Table window = stream.last_window(event_of(low));
  describe(finding, witness, window, 0, *stream.schema());
  const std::string reason = reason_in_words(finding, witness, *stream.schema());
  EXPECT_NE(reason.find("cpu fell by "), std::string::npos) << reason;
  const auto value_of = [&](const std::string& name) {
    return std::ranges::find(window.columns(), name, &Column::name)->number(0);
  };
  EXPECT_EQ(value_of("cpu"), low);
  EXPECT_EQ(value_of("rise of cpu within 1 sample"), low - value_of("cpu 1 sample earlier"));
}

TEST(views, every_other_tree_knows_only_the_last_value_and_its_rises) {
  const Stream stream = at_the_top(all_views);
  const std::vector<forest::Root>& roots = stream::state_of(stream).model->forest().roots();
  const std::vector<stream::Feature>& features = stream::state_of(stream).model->forest().rows().features();
  for (std::size_t tree = 0; tree < roots.size(); ++tree)
    for (std::size_t axis = 0; axis < features.size(); ++axis)
      EXPECT_EQ(std::isfinite(roots[tree][axis].high),
                tree % 2 == 0 ? features[axis].rise_over == 0 : features[axis].lag == 0);
}

TEST(views, single_events_have_no_changes) {
  const Stream stream = at_the_top({});
  EXPECT_EQ(stream.schema()->columns.size(), 1U);
}

TEST(views, no_rise_crosses_the_beginning_of_a_segment) {
  Stream stream = at_the_top(all_views);
  stream.start_segment();
  const double low = -3.9;  // the last values were around 4
  for (int i = 0; i < 8; ++i) {
    const double x = low + 0.01 * i;
    const EventScore scored = stream.update(event_of(x))[0];
    EXPECT_FALSE(scored.is_anomaly);
    EXPECT_EQ(std::isnan(scored.bits), i < 7);
  }
}

TEST(recent, the_second_forest_follows_a_shift_sooner) {
  const auto mean_after_a_shift = [](const StreamOptions& options) {
    Stream stream = at_the_top(options);
    Swing swing;
    std::vector<double> bits;
    for (int i = 0; i < 600; ++i) {
      const double x = 20 + swing.next();
      bits.push_back(stream.update(event_of(x))[0].bits);
    }
    return std::accumulate(bits.begin() + 100, bits.end(), 0.0) / 500;
  };
  EXPECT_LT(mean_after_a_shift({.window = 8, .recent = 512}), mean_after_a_shift({.window = 8, .recent = 0}) - 1);
}

TEST(recent, there_is_no_second_forest_for_a_short_horizon_or_a_long_window) {
  const auto has_second = [](const StreamOptions& options) {
    return stream::state_of(at_the_top(options)).model->recent().has_value();
  };
  EXPECT_TRUE(has_second({.horizon = 1024}));
  EXPECT_FALSE(has_second({.horizon = 1023}));
  EXPECT_FALSE(has_second({.recent = 0}));
  EXPECT_FALSE(has_second({.window = 9, .recent = 8}));
}

TEST(recent, the_state_of_an_earlier_version_is_refused) {
  file::SectionWriter old;
  old.add("options", "{}");
  old.add_array("stream.sizes", std::array<std::uint64_t, 3>{2048, 256, 1});
  try {
    (void)Stream::from_bytes(old.finish());
    FAIL();
  } catch (const BadFile& error) {
    EXPECT_NE(std::string(error.what()).find("an earlier version of pidforest wrote it"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace pidforest
