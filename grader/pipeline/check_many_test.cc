// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_many.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

namespace warplings {
namespace {

/// Jobs that end immediately, with a usage error, because their file does not exist.
std::vector<CheckJob> Jobs(const Exercise& exercise, std::size_t count) {
  CheckJob job;
  job.submission.exercise = &exercise;
  job.submission.file = "/nowhere/scale.cu";
  return std::vector<CheckJob>(count, job);
}

TEST(CheckMany, ResultsComeInOrderAndEndsAsTheyHappen) {
  const Exercise exercise;
  const std::vector<CheckJob> jobs = Jobs(exercise, 20);
  std::vector<std::size_t> in_order, finished;
  CheckMany(jobs, 4, ThisLayout(),
            {.on_progress = {},
             .on_result =
                 [&](std::size_t job, const auto& result) {
                   EXPECT_FALSE(result.ok());
                   in_order.push_back(job);
                 },
             .on_finished =
                 [&](std::size_t job, const auto&) {
                   finished.push_back(job);
                   return true;
                 }});
  ASSERT_EQ(in_order.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(in_order[i], i);
  EXPECT_EQ(finished.size(), 20u);
}

TEST(CheckMany, StopsWhenTold) {
  const Exercise exercise;
  const std::vector<CheckJob> jobs = Jobs(exercise, 20);
  std::size_t finished = 0;
  CheckMany(jobs, 1, ThisLayout(),
            {.on_progress = {}, .on_result = {}, .on_finished = [&](std::size_t, const auto&) {
               return ++finished < 3;
             }});
  EXPECT_EQ(finished, 3u);
}

/// Each of the middle jobs throws something else.
TEST(CheckMany, AJobThatThrowsIsAFaultOfTheGradersAndTheOthersGoOn) {
  const Exercise exercise;
  const std::vector<CheckJob> jobs = Jobs(exercise, 8);
  std::vector<std::optional<Result<ExerciseResult>>> results(jobs.size());
  const auto compiling = [](std::size_t job, const Message&) {
    if (job == 2) throw std::bad_alloc();
    if (job == 3) throw std::length_error("vector::reserve");
    if (job == 5) throw 7;
  };
  CheckMany(jobs, 3, ThisLayout(),
            {.on_progress = compiling, .on_finished = [&](std::size_t job, const auto& result) {
               results[job].emplace(result);
               return true;
             }});
  const auto reason = [&](std::size_t job) {
    if (!*results[job]) return std::string("usage error");
    EXPECT_EQ((*results[job])->verdict, Verdict::kGraderFault);
    EXPECT_NE((*results[job])->next_step, "");
    return English((*results[job])->reason);
  };
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    SCOPED_TRACE(job);
    ASSERT_TRUE(results[job]);
    EXPECT_EQ(reason(job), job == 2   ? "the grader ran out of memory"
                           : job == 3 ? "the grader itself failed: std::length_error: vector::reserve"
                           : job == 5 ? "the grader itself failed: int"
                                      : "usage error");
  }
}

/// As where a result is too large for the memory that is left.
TEST(CheckMany, AResultThatCannotBeTakenIsAFaultOfTheGraders) {
  const Exercise exercise;
  const std::vector<CheckJob> jobs = Jobs(exercise, 5);
  std::vector<bool> is_fault(jobs.size());
  CheckMany(jobs, 2, ThisLayout(), {.on_finished = [&](std::size_t job, const auto& result) {
              is_fault[job] = result.ok();
              if (job == 2 && !result) throw std::bad_alloc();
              return true;
            }});
  EXPECT_EQ(is_fault, (std::vector<bool>{false, false, true, false, false}));
}

TEST(CheckMany, AListenerThatTakesNothingEndsTheListAndThrowsFromThere) {
  const Exercise exercise;
  const std::vector<CheckJob> jobs = Jobs(exercise, 20);
  std::atomic<int> finished = 0;
  const auto refuse = [&](std::size_t, const auto&) -> bool {
    ++finished;
    throw std::out_of_range("the first");
  };
  EXPECT_THROW(CheckMany(jobs, 1, ThisLayout(), {.on_finished = refuse}), std::out_of_range);
  EXPECT_EQ(finished, 2) << "the result, and the fault in its place";
}

TEST(RunJobs, AsManyAtOnceAsAskedFor) {
  std::atomic<int> inside = 0, most = 0, all = 0;
  RunJobs(
      40, 3, 0, [] { return false; },
      [&](std::size_t, const std::function<void()>&) {
        most = std::max(most.load(), ++inside);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --inside;
        ++all;
      });
  EXPECT_LE(most, 3);
  EXPECT_EQ(all, 40);
}

/// Job 0 has the card and hangs until all others are compiled.
TEST(RunJobs, WhoWaitsForACardHoldsNobody) {
  std::atomic<int> compiled = 0, compiling = 0, most = 0;
  std::mutex card;
  RunJobs(
      12, 2, 16, [] { return false; },
      [&](std::size_t job, const std::function<void()>& leave) {
        most = std::max(most.load(), ++compiling);
        if (job != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        --compiling;
        ++compiled;
        leave();
        const std::lock_guard turn(card);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (job == 0 && compiled < 12 && std::chrono::steady_clock::now() < end) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (job == 0) {
          EXPECT_EQ(compiled, 12);
        }
      });
  EXPECT_EQ(compiled, 12);
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace warplings
