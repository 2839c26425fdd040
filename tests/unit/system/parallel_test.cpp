// SPDX-License-Identifier: Apache-2.0
#include "system/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "pidforest/error.h"

namespace pidforest {
namespace {

TEST(ParallelFor, does_every_iteration_once_on_any_number_of_threads) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> times(1000);
    system::parallel_for(times.size(), {.threads = threads}, "", [&](std::size_t i, unsigned worker) {
      EXPECT_LT(worker, threads);
      ++times[i];
    });
    for (const auto& t : times) EXPECT_EQ(t, 1);
  }
}

TEST(ParallelFor, carries_an_exception_home) {
  for (const unsigned threads : {1U, 4U})
    EXPECT_THROW(system::parallel_for(100, {.threads = threads}, "",
                                      [](std::size_t i, unsigned) {
                                        if (i == 50) throw InvalidInput("fifty");
                                      }),
                 InvalidInput);
}

TEST(ParallelFor, stops_soon_after_it_is_cancelled) {
  std::atomic<bool> cancel{false};
  std::atomic<int> done{0};
  EXPECT_THROW(system::parallel_for(1000000, {.threads = 2, .cancel = &cancel}, "",
                                    [&](std::size_t, unsigned) {
                                      if (++done == 10) cancel = true;
                                    }),
               Cancelled);
  EXPECT_LT(done, 100);
}

TEST(ParallelFor, reports_progress_on_the_calling_thread) {
  const auto caller = std::this_thread::get_id();
  std::uint64_t last = 0;
  system::parallel_for(200,
                       {.threads = 3,
                        .cancel = nullptr,
                        .on_progress =
                            [&](const Progress& progress) {
                              EXPECT_EQ(std::this_thread::get_id(), caller);
                              EXPECT_EQ(progress.stage, "working");
                              EXPECT_EQ(progress.total, 200U);
                              EXPECT_GE(progress.done, last);
                              last = progress.done;
                            }},
                       "working", [](std::size_t, unsigned) { std::this_thread::yield(); });
  EXPECT_EQ(last, 200U);
}

TEST(ParallelFor, lets_what_the_progress_callback_throws_stop_the_work) {
  const pidforest::Run run{.threads = 2, .cancel = nullptr, .on_progress = [](const Progress&) { throw Cancelled(); }};
  EXPECT_THROW(system::parallel_for(1000, run, "", [](std::size_t, unsigned) {}), Cancelled);
}

TEST(ParallelFor, works_in_a_forked_child) {
  system::parallel_for(100, {.threads = 2}, "", [](std::size_t, unsigned) {});
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::atomic<int> done{0};
    system::parallel_for(100, {.threads = 2}, "", [&](std::size_t, unsigned) { ++done; });
    _exit(done == 100 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace pidforest
