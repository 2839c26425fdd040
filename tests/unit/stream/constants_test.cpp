// SPDX-License-Identifier: Apache-2.0
// Columns that did not vary: a lasting change is said a few times and then learned, a burst is found.
#include "stream/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/state.h"
#include "pidforest/series.h"

namespace pidforest {
namespace {

using stream::bits_off_constant;

/// Events with a noisy swing, noise, and a column that is 7 unless it is set otherwise.
class Events {
 public:
  explicit Events(std::uint64_t seed = 11) : random_(seed) {}

  Table next(double constant) {
    ++n_;
    values_ = {2 * std::sin(n_ / 8.0) + 0.3 * normal_(random_), normal_(random_), constant};
    return Table::row_major(values_, 3, {"swing", "noise", "build"});
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{};
  double n_ = 0;
  std::vector<double> values_;
};

TEST(constants, the_first_value_off_is_as_rare_as_can_be_and_more_of_them_are_less_so) {
  EXPECT_EQ(bits_off_constant(0, 2048), std::nullopt);
  EXPECT_NEAR(*bits_off_constant(1, 2048), 11 * 23.0 / 24, 1e-12);
  for (std::uint64_t n_off = 1; n_off < 24; ++n_off)
    EXPECT_GT(bits_off_constant(n_off, 2048), bits_off_constant(n_off + 1, 2048));
  EXPECT_EQ(bits_off_constant(24, 2048), 0);
  EXPECT_EQ(bits_off_constant(2000, 2048), 0);
  EXPECT_EQ(bits_off_constant(20, 10), 0);
}

/// How many of the events after a lasting change are anomalies.
struct Alarms {
  std::size_t n_first = 0;
  std::size_t n_later = 0;
};

Alarms alarms_after_a_change(const StreamOptions& options, int n_before) {
  Events events;
  Stream stream(options);
  for (int i = 0; i < n_before; ++i) stream.learn(events.next(7));
  Alarms alarms;
  for (int i = 0; i < 3000; ++i)
    if (stream.update(events.next(8))[0].is_anomaly) ++(i < 40 ? alarms.n_first : alarms.n_later);
  return alarms;
}

TEST(constants, a_lasting_change_gives_at_most_twenty_alarms) {
  for (const std::size_t window : {1U, 10U})
    for (const int n_before : {300, 1000, 4000}) {
      const Alarms alarms = alarms_after_a_change({.window = window}, n_before);
      EXPECT_GE(alarms.n_first, 1U) << window << ", " << n_before;
      EXPECT_LE(alarms.n_first, 20U) << window << ", " << n_before;
      // As many as without a change: about 0.3 % of single events.
      EXPECT_LE(alarms.n_later, window == 1 ? 20U : 2U) << window << ", " << n_before;
    }
}

TEST(constants, a_burst_is_found_before_it_is_learned) {
  for (const std::size_t window : {1U, 10U}) {
    int n_second = 0;
    for (std::uint64_t seed = 11; seed < 21; ++seed) {
      Events events(seed);
      Stream stream({.window = window});
      for (int i = 0; i < 2500; ++i) stream.learn(events.next(7));
      EXPECT_TRUE(stream.update(events.next(9))[0].is_anomaly) << window << ", " << seed;
      n_second += stream.update(events.next(9))[0].is_anomaly ? 1 : 0;
    }
    EXPECT_GE(n_second, 8) << window;
  }
}

/// A stream that has learned five events off its constant.
Stream stream_with_a_burst() {
  Events events;
  Stream stream({.horizon = 800, .warm_up = 100});
  for (int i = 0; i < 700; ++i) stream.learn(events.next(7));
  for (int i = 0; i < 5; ++i) stream.learn(events.next(9));
  return stream;
}

TEST(constants, the_count_survives_a_restart) {
  Stream stream = stream_with_a_burst();
  Stream restored = Stream::from_bytes(stream.to_bytes());
  Events events;
  const Table event = events.next(9);
  EXPECT_EQ(restored.score(event).bits, stream.score(event).bits);
  EXPECT_EQ(restored.to_bytes(), stream.to_bytes());
}

TEST(constants, a_model_of_the_stream_has_the_count_too) {
  Stream stream = stream_with_a_burst();
  Events events;
  const Table event = events.next(9);
  const Model model = stream.model();
  EXPECT_NEAR(model.score(event)[0], stream.score(event).bits, 1e-9);
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes[10], 3);  // the minor version
  const Model again = Model::from_bytes(bytes);
  EXPECT_EQ(again, model);
  EXPECT_EQ(again.score(event), model.score(event));
}

TEST(constants, forget_with_the_horizon) {
  Stream stream = stream_with_a_burst();
  Events events;
  const double soon = stream.score(events.next(9)).bits;
  for (int i = 0; i < 2000; ++i) stream.learn(events.next(7));
  EXPECT_GT(stream.score(events.next(9)).bits, soon + 10);
}

}  // namespace
}  // namespace pidforest
