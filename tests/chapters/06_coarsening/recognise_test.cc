// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of this chapter say of made-up evidence, where two mistakes meet.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/chapters/06_coarsening/coarsened_reduction_evidence.h"
#include "tests/chapters/06_coarsening/when_not_to_evidence.h"

namespace warplings {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Recognised>& found) {
  Names ids;
  for (const Recognised& each : found) ids.push_back(each.id);
  return ids;
}

Finding SharedRace() {
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  return race;
}

/// A block of 256 threads with a race, a tree and so many atomic additions, and a sum that no model gives.
coarsened_reduction::Evidence RacingReduction(std::uint64_t atomics) {
  coarsened_reduction::Evidence e;
  e.test = "OneElement";
  e.input = {3};
  e.is_exact = true;
  e.value = {7};
  e.result.wrong_count = 1;
  e.result.findings = {SharedRace()};
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {256, 1, 1};
  launch.totals.atomics = atomics;
  launch.totals.shared_load_requests = 9;
  e.result.launches = {launch};
  return e;
}

TEST(RecogniseReductionTest, AnAtomicAdditionForEachThreadIsNoMissingBarrier) {
  const std::vector<coarsened_reduction::Evidence> each = {RacingReduction(256)}, one = {RacingReduction(1)};
  EXPECT_EQ(IdsOf(coarsened_reduction::Recognise(each)), Names{"every_thread_adds"});
  EXPECT_EQ(IdsOf(coarsened_reduction::Recognise(one)), Names{"barrier_missing"});
}

TEST(RecogniseWhenNotToTest, QuestionsWaitForCodeThatNobodyCouldName) {
  when_not_to::Evidence e;
  e.test = "OneElement";
  e.length = 1;
  e.c = {1};
  LaunchRecord launch;
  launch.completed = true;
  e.result.launches = {launch};
  when_not_to::Answers answers;
  answers.idle_multiprocessors = 32;
  const std::vector<when_not_to::Evidence> right = {e};
  EXPECT_EQ(IdsOf(when_not_to::Recognise(right, answers)), Names{"busy_for_idle"});
  e.result.wrong_count = 1;
  const std::vector<when_not_to::Evidence> wrong = {e};
  EXPECT_EQ(IdsOf(when_not_to::Recognise(wrong, answers)), Names{});
}

}  // namespace
}  // namespace warplings
