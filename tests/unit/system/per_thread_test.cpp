// SPDX-License-Identifier: Apache-2.0
#include "system/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace pidforest {
namespace {

TEST(PerThread, each_thread_keeps_a_value_of_its_own) {
  static const system::PerThread<int> numbers;
  numbers() = 1;
  std::thread([] {
    EXPECT_EQ(numbers(), 0);
    numbers() = 2;
    EXPECT_EQ(numbers(), 2);
  }).join();
  EXPECT_EQ(numbers(), 1);
}

TEST(PerThread, the_value_of_a_thread_ends_with_it) {
  static std::atomic<int> n_alive = 0;
  struct Counted {
    Counted() { ++n_alive; }
    ~Counted() { --n_alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
  };
  static const system::PerThread<Counted> values;
  std::thread([] {
    values();
    values();
    EXPECT_EQ(n_alive, 1);
  }).join();
  EXPECT_EQ(n_alive, 0);
}

}  // namespace
}  // namespace pidforest
