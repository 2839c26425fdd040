// SPDX-License-Identifier: Apache-2.0
#include "out/progress_line.h"

#include <gtest/gtest.h>

namespace pidforest::cli {
namespace {

TEST(ProgressText, says_how_much_is_done_how_fast_and_how_long_it_will_take) {
  EXPECT_EQ(progress_text({"scoring", 1000, 4000}, Unit::pieces, 2),
            "scoring [#####---------------] 25 %, 1000/4000, 500/s, 6 s left");
  EXPECT_EQ(progress_text({"reading", 2'000'000, 8'000'000}, Unit::bytes, 100),
            "reading [#####---------------] 25 %, 2.0 MB/8.0 MB, 0.0 MB/s, 5 min left");
  EXPECT_EQ(progress_text({"growing", 1, 10'001}, Unit::pieces, 1),
            "growing [--------------------] 0 %, 1/10001, 1/s, 2.8 h left");
}

TEST(ProgressText, without_a_total_there_is_no_end_to_tell) {
  EXPECT_EQ(progress_text({"reading", 3'000'000, 0}, Unit::bytes, 2), "reading 3.0 MB, 1.5 MB/s");
}

TEST(ProgressText, at_the_beginning_and_at_the_end_no_time_is_left_to_tell) {
  EXPECT_EQ(progress_text({"growing", 0, 10}, Unit::pieces, 0), "growing [--------------------] 0 %, 0/10");
  EXPECT_EQ(progress_text({"growing", 10, 10}, Unit::pieces, 5), "growing [####################] 100 %, 10/10, 2/s");
}

}  // namespace
}  // namespace pidforest::cli
