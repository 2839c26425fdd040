// SPDX-License-Identifier: Apache-2.0
// Streams of events without a column that can be used: identifiers, ignored columns, columns without values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"

namespace pidforest {
namespace {

constexpr StreamOptions small{.horizon = 80, .warm_up = 40, .window = 1};

/// Events with a column of identifiers and a column without values.
struct UnusableEvents {
  explicit UnusableEvents(std::size_t n) : empty(n, std::numeric_limits<double>::quiet_NaN()) {
    for (std::size_t i = 0; i < n; ++i) ids.push_back("u" + std::to_string(1000 + i));
    for (const std::string& id : ids) texts.emplace_back(id);
  }
  [[nodiscard]] Table table() const {
    return {ids.size(), {Column::of_texts("id", texts.data()), {.name = "empty", .first = empty.data()}}};
  }

  std::vector<std::string> ids;
  std::vector<std::string_view> texts;
  std::vector<double> empty;
};

void expect_zero_bits(Stream& stream) {
  const UnusableEvents events(300);
  const std::vector<EventScore> scored = stream.update(events.table());
  for (std::size_t i = small.warm_up + 4; i < scored.size(); ++i) {
    EXPECT_EQ(scored[i].bits, 0) << i;
    EXPECT_FALSE(scored[i].is_anomaly);
  }
  EXPECT_TRUE(stream.explain_last().conditions.empty());
  EXPECT_EQ(stream.find_last({}).bits, 0);
  EXPECT_EQ(stream.model().score(events.table())[0], 0);
}

TEST(unusable_columns, give_every_event_zero_bits) {
  Stream inferred(small);
  expect_zero_bits(inferred);
  Stream ignored(small, Schema{{{.name = "id", .kind = Kind::ignored}, {.name = "empty", .kind = Kind::ignored}}});
  expect_zero_bits(ignored);
  StreamOptions windows = small;
  windows.window = 3;
  Stream windowed(windows);
  expect_zero_bits(windowed);
}

TEST(unusable_columns, leave_a_stream_that_can_be_saved_at_any_time) {
  const UnusableEvents events(200);
  Stream uninterrupted(small);
  Stream resumed(small);
  for (std::size_t i = 0; i < 200; ++i) {
    const Table event = events.table().rows(i, i + 1);
    const double expected = uninterrupted.update(event)[0].bits;
    const double found = resumed.update(event)[0].bits;
    EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)));
    resumed = Stream::from_bytes(resumed.to_bytes());
  }
  EXPECT_EQ(resumed.to_bytes(), uninterrupted.to_bytes());
}

TEST(unusable_columns, differ_from_events_without_columns_which_are_refused) {
  Stream stream(small);
  const Table bare(3, {});
  EXPECT_THROW((void)stream.update(bare), InvalidInput);
  EXPECT_THROW((void)stream.score(bare.rows(0, 1)), InvalidInput);
  EXPECT_EQ(stream.n_learned(), 0U);
}

}  // namespace
}  // namespace pidforest
