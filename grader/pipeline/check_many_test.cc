// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_many.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace warplings {
namespace {

/// Jobs that end at once: their file does not exist, which is a usage error.
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

}  // namespace
}  // namespace warplings
