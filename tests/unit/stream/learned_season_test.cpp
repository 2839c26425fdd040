// SPDX-License-Identifier: Apache-2.0
// What a stream with times learns about the half hours of the day and of the week.
#include "stream/learned_season.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"
#include "stream/even_step.h"
#include "values/time.h"

namespace pidforest {
namespace {

using stream::EvenStep;
using stream::LearnedSeason;

constexpr std::int64_t hour = values::microseconds_per_hour;
constexpr std::int64_t day = values::microseconds_per_day;

/// A load of 50 with noise, and of 200 between 03:00 and 04:00; on Sundays (1970 began on a Thursday) it is 100.
class Load {
 public:
  double at(std::int64_t time) {
    const bool is_backup = time % day / hour == 3;
    const bool is_sunday = (time / day + 4) % 7 == 0;
    return (is_backup ? 200 : is_sunday && has_sundays ? 100 : 50) + 2 * normal_(random_);
  }
  bool has_sundays = false;

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_{};
};

double difference(const LearnedSeason& season, double value, std::int64_t time) {
  std::array<double, 1> found{};
  season.minus_usual(std::array{value}, time, found);
  return found[0];
}

LearnedSeason learned(Load load, int n_days) {
  LearnedSeason season(1);
  for (std::int64_t time = 0; time < n_days * day + 1; time += hour / 6)
    (void)season.learn(std::array{load.at(time)}, time);
  return season;
}

TEST(learned_season, is_known_after_three_days) {
  EXPECT_FALSE(learned(Load(), 2).is_known(0));
  const LearnedSeason season = learned(Load(), 3);
  EXPECT_TRUE(season.is_known(0));
  EXPECT_NEAR(difference(season, 200, 3 * day + 3 * hour), 0, 5);
  EXPECT_NEAR(difference(season, 200, 3 * day + 4 * hour), 150, 5);
}

TEST(learned_season, that_of_the_week_counts_after_three_weeks) {
  Load load;
  load.has_sundays = true;
  const std::int64_t sunday_noon = 3 * day + day / 2;
  EXPECT_GT(difference(learned(load, 20), 100, 28 * day + sunday_noon), 20);
  EXPECT_NEAR(difference(learned(load, 28), 100, 28 * day + sunday_noon), 0, 5);
}

TEST(learned_season, noise_has_none_and_neither_has_a_constant) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  LearnedSeason season(2);
  for (std::int64_t time = 0; time < 40 * day; time += hour / 2) {
    (void)season.learn(std::array{normal(random), 7.0}, time);
    EXPECT_FALSE(season.is_known(0));
    EXPECT_FALSE(season.is_known(1));
  }
}

TEST(learned_season, one_wild_day_hardly_moves_it) {
  Load load;
  LearnedSeason season = learned(load, 14);
  for (std::int64_t time = 14 * day; time <= 15 * day; time += hour / 6) (void)season.learn(std::array{9000.0}, time);
  EXPECT_NEAR(difference(season, 50, 15 * day + 12 * hour), 0, 20);
}

TEST(learned_season, missing_values_gaps_a_clock_set_back_and_huge_values_do_no_harm) {
  LearnedSeason season(1);
  EXPECT_TRUE(std::isnan(difference(season, 1, 0)));
  for (const std::int64_t time : {std::int64_t{0}, 400 * day, -400 * day, std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()})
    for (const double value : {std::nan(""), 1e308, -1e308, 1.0}) {
      (void)season.learn(std::array{value}, time);
      (void)season.learn(std::array{value}, time / 2);
      EXPECT_FALSE(std::isinf(difference(season, value, time)));
    }
  EXPECT_FALSE(season.is_known(0));
}

TEST(learned_season, is_restored_from_its_numbers) {
  const LearnedSeason season = learned(Load(), 5);
  LearnedSeason other(1);
  other.restore(season.saved());
  EXPECT_EQ(other.saved(), season.saved());
  EXPECT_THROW(LearnedSeason(2).restore(season.saved()), BadFile);
  std::vector<double> damaged = season.saved();
  damaged.back() = 9;
  EXPECT_THROW(other.restore(damaged), BadFile);
  damaged = season.saved();
  damaged[1] = 1e300;
  EXPECT_THROW(other.restore(damaged), BadFile);
  damaged[1] = std::nan("");
  EXPECT_THROW(other.restore(damaged), BadFile);
}

/// How many anomalies a stream of a load with a backup each night has in each half of 16 days.
std::array<int, 2> anomalies_by_half(bool has_season) {
  Load load;
  Stream stream({.window = 3, .season = has_season});
  std::array<int, 2> n{};
  for (std::int64_t time = 0; time < 16 * day; time += hour / 6) {
    const double value = load.at(time);
    n[time < 8 * day ? 0 : 1] += stream.update(Table(1, {{"load", &value}}), {}, std::array{time})[0].is_anomaly;
  }
  return n;
}

TEST(stream_season, a_peak_at_its_usual_time_is_no_anomaly) {
  EXPECT_GT(anomalies_by_half(false)[1], 5);
  EXPECT_LE(anomalies_by_half(true)[1], 1);
}

TEST(stream_season, a_missing_peak_is_one_and_the_reason_says_so) {
  Load load;
  Stream stream({.window = 3});
  for (std::int64_t time = 0; time < 8 * day + 3 * hour; time += hour / 6) {
    const double value = load.at(time);
    stream.learn(Table(1, {{"load", &value}}), std::array{time});
  }
  const double calm = 50;
  const Table event(1, {{"load", &calm}});
  EXPECT_TRUE(stream.score(event, 8 * day + 3 * hour).is_anomaly);
  EXPECT_EQ(stream.schema()->columns[2].name, "load minus usual");
  const Witness witness = stream.explain_last();
  Finding finding = stream.find_last({});
  describe(finding, witness, stream.last_window(event), 0, *stream.schema());
  const std::string reason = reason_in_words(finding, witness, *stream.schema());
  EXPECT_NE(reason.find("load minus usual"), std::string::npos) << reason;
}

TEST(stream_season, a_stream_goes_on_from_its_bytes_before_and_after_its_season_is_known) {
  Load load;
  std::vector<double> values;
  std::vector<std::int64_t> times;
  for (std::int64_t time = 0; time < 6 * day; time += hour / 6) {
    times.push_back(time);
    values.push_back(load.at(time));
  }
  const auto events = [&](std::size_t begin, std::size_t n) { return Table(n, {{"load", values.data() + begin}}); };
  const StreamOptions options{.warm_up = 200, .window = 3};
  Stream whole(options);
  const std::vector<EventScore> expected = whole.update(events(0, values.size()), {}, times);
  EXPECT_EQ(whole.schema()->columns[2].name, "load minus usual");
  for (const std::size_t place : {100U, 431U, 432U, 433U, 800U}) {
    Stream before(options);
    before.learn(events(0, place), std::span(times).first(place));
    Stream after = Stream::from_bytes(before.to_bytes());
    for (std::size_t i = place; i < values.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(expected[i].bits),
                std::bit_cast<std::uint64_t>(after.update(events(i, 1), {}, std::span(times).subspan(i, 1))[0].bits));
    EXPECT_EQ(after.to_bytes(), whole.to_bytes()) << place;
  }
}

TEST(stream_season, all_events_have_times_or_none) {
  const double value = 1;
  const Table event(1, {{"load", &value}});
  Stream with;
  with.learn(event, std::array{hour});
  EXPECT_THROW(with.learn(event), InvalidInput);
  EXPECT_THROW((void)with.score(event), InvalidInput);
  EXPECT_THROW(with.learn(event, std::array{hour, hour}), InvalidInput);
  Stream without;
  without.learn(event);
  EXPECT_THROW(without.learn(event, std::array{hour}), InvalidInput);
}

TEST(even_step, is_known_while_the_steps_of_the_last_events_are_equal) {
  EvenStep step;
  EXPECT_EQ(step.of_last(1, 5), 0);
  for (const std::int64_t time : {0, 10, 20, 30}) step.learn(time);
  EXPECT_EQ(step.of_last(3, 40), 10);
  EXPECT_EQ(step.of_last(4, 40), 0);
  EXPECT_EQ(step.of_last(3, 41), 0);
  step.start_segment();
  EXPECT_EQ(step.of_last(3, 1000), 10);
  step.learn(1000);
  step.learn(1011);
  EXPECT_EQ(step.of_last(2, 1022), 0);
  EXPECT_EQ(step.of_last(1, 1022), 11);
  step.learn(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(step.of_last(1, std::numeric_limits<std::int64_t>::min()), 0);
}

TEST(even_step, names_lags_and_rises_by_time) {
  Load load;
  Stream stream({.warm_up = 50, .window = 3});
  const auto learn = [&](std::int64_t time) {
    const double value = load.at(time);
    (void)stream.update(Table(1, {{"load", &value}}), {}, std::array{time});
  };
  std::int64_t time = 0;
  for (int i = 0; i < 60; ++i) learn(time += hour / 6);
  EXPECT_EQ(stream.schema()->columns[0].name, "load 20 min earlier");
  EXPECT_EQ(stream.schema()->columns[3].name, "rise of load within 10 min");
  learn(time += hour);
  EXPECT_EQ(stream.schema()->columns[0].name, "load 2 samples earlier");
  for (int i = 0; i < 4; ++i) learn(time += hour / 6);
  EXPECT_EQ(stream.schema()->columns[0].name, "load 20 min earlier");
}

}  // namespace
}  // namespace pidforest
