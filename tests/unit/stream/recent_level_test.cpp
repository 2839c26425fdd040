// SPDX-License-Identifier: Apache-2.0
// After a change the scores of a stream come down with those of the events before, and a rare event stays rare.
#include "stream/recent_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"

namespace pidforest {
namespace {

using stream::RecentLevel;

TEST(recent_level, half_of_what_the_last_scores_are_more_than_a_bit_above_the_usual_is_taken_off) {
  RecentLevel level;
  level.set_usual(std::vector<double>{-9, -7, -5});
  for (std::uint64_t n = 0; n < 63; ++n) level.learn(3, n);
  EXPECT_EQ(level.excess(), 0);  // too few to tell
  for (std::uint64_t n = 63; n <= 64; ++n) level.learn(3, n);
  EXPECT_EQ(level.excess(), 4.5);
  for (std::uint64_t n = 65; n <= 128; ++n) level.learn(-12, n);
  EXPECT_EQ(level.excess(), 0);  // never negative
  for (std::uint64_t n = 129; n <= 192; ++n) level.learn(-6.1, n);
  EXPECT_EQ(level.excess(), 0);  // not even a bit
}

TEST(recent_level, a_burst_of_fewer_than_half_of_the_scores_changes_nothing) {
  RecentLevel level;
  level.set_usual(std::vector<double>{-7});
  for (std::uint64_t n = 0; n <= 256; ++n) level.learn(n % 64 < 31 ? 30 : -7, n);
  EXPECT_EQ(level.excess(), 0);
}

TEST(recent_level, is_restored_from_its_numbers) {
  RecentLevel level;
  level.set_usual(std::vector<double>{-7});
  for (std::uint64_t n = 0; n < 100; ++n) level.learn(static_cast<double>(n), n);
  RecentLevel other;
  other.restore(level.saved());
  EXPECT_EQ(other.saved(), level.saved());
  EXPECT_THROW(other.restore(std::vector<double>{1}), BadFile);
  EXPECT_THROW(other.restore(std::vector<double>{1, std::nan("")}), BadFile);
  EXPECT_THROW(other.restore(std::vector<double>(100)), BadFile);
}

/// A noisy swing that jumps by twice its amplitude and has twice the noise from then on.
class Jump {
 public:
  double next() {
    const bool is_after = ++n_ > 4000;
    return 2 * std::sin(n_ / 8) + (is_after ? 0.6 : 0.3) * normal_(random_) + (is_after ? 4 : 0);
  }

 private:
  std::mt19937_64 random_{5};
  std::normal_distribution<double> normal_{};
  double n_ = 0;
};

/// How many of the events 100 to 600 after the jump score higher than 99 of 100 events before it.
std::size_t n_high_after_jump(const StreamOptions& options) {
  Jump jump;
  Stream stream(options);
  std::vector<double> before;
  std::size_t n_high = 0;
  double high = 0;
  for (int i = 0; i < 4600; ++i) {
    const double x = jump.next();
    const double bits = stream.update(Table(1, {{.name = "x", .first = &x}}))[0].bits;
    if (i >= 2000 && i < 4000) before.push_back(bits);
    if (i == 4000) {
      std::ranges::sort(before);
      high = before[before.size() * 99 / 100];
    }
    if (i >= 4100 && bits > high) ++n_high;
  }
  return n_high;
}

TEST(recent_level, after_a_hundred_events_a_changed_stream_scores_as_before) {
  EXPECT_LE(n_high_after_jump({.window = 10}), 25);
  EXPECT_GT(n_high_after_jump({.window = 10, .recent = 0}), 100);
}

TEST(recent_level, learning_an_event_that_was_scored_is_as_scoring_and_learning_it_at_once) {
  Jump jump;
  Stream in_two({.window = 4});
  Stream at_once({.window = 4});
  for (int i = 0; i < 2000; ++i) {
    const double x = jump.next();
    const Table event(1, {{.name = "x", .first = &x}});
    const double other = x + 1;
    if (i % 3 == 0) (void)in_two.score(Table(1, {{.name = "x", .first = &other}}));
    const double bits = in_two.score(event).bits;
    if (i % 5 == 0) (void)in_two.score(Table(1, {{.name = "x", .first = &other}}));
    in_two.learn(event);
    const double expected = at_once.update(event)[0].bits;
    ASSERT_TRUE(bits == expected || (std::isnan(bits) && std::isnan(expected))) << i;
  }
  EXPECT_EQ(in_two.to_bytes(), at_once.to_bytes());
}

}  // namespace
}  // namespace pidforest
