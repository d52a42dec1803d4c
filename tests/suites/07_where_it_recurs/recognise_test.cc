// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of this chapter say of made-up evidence, where two mistakes meet.

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"
#include "grader/suite/comparison.h"
#include "tests/suites/07_where_it_recurs/histogram_evidence.h"

namespace warplings::histogram {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Evidence>& all) {
  Names ids;
  for (const Fact& each : FactsOf(all)) ids.push_back(each.id);
  return ids;
}

/// A block of 4 threads has counted 6 elements.
Evidence Counted(std::vector<int> counts) {
  Evidence e;
  e.test = "OneElement";
  e.input = {0, 1, 1, 2, 5, 5};
  e.bins = 6;
  const std::vector<int> right = {1, 2, 1, 0, 0, 2};
  e.result.wrong_count = counts == right ? 0 : 1;
  e.counts = std::move(counts);
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {4, 1, 1};
  e.result.launches = {launch};
  return e;
}

Finding InCopy(FindingKind kind) {
  Finding finding;
  finding.kind = kind;
  finding.space = MemorySpace::kShared;
  return finding;
}

Finding RaceInCopy(Access access, Access other, int line, int other_line) {
  Finding race = InCopy(FindingKind::kRace);
  race.access = access;
  race.other_access = other;
  race.where.line = line;
  race.other = SourceLine{"", other_line};
  return race;
}

Evidence With(std::vector<Finding> findings) {
  Evidence e = Counted({1, 2, 1, 0, 0, 2});
  e.result.findings = std::move(findings);
  return e;
}

TEST(HistogramFactsTest, EachMissingBarrierIsNamed) {
  const Finding early = RaceInCopy(Access::kAtomic, Access::kWrite, 12, 9);
  const Finding late = RaceInCopy(Access::kRead, Access::kAtomic, 15, 12);
  EXPECT_EQ(IdsOf({With({early})}), Names{"hist_counted_before_cleared"});
  EXPECT_EQ(IdsOf({With({late})}), Names{"hist_merged_before_counted"});
  EXPECT_EQ(IdsOf({With({early, late})}),
            (Names{"hist_counted_before_cleared", "hist_merged_before_counted"}));
}

/// It cannot have cleared the bin first, so a barrier between clearing and counting is no repair.
TEST(HistogramFactsTest, AStoreBelowTheAdditionDoesNotClearBeforeIt) {
  const Finding store = RaceInCopy(Access::kWrite, Access::kAtomic, 13, 12);
  EXPECT_EQ(IdsOf({With({store})}), Names{"hist_stored_after_atomic"});
  Finding again = store;
  again.other_access = Access::kWrite;
  again.other = again.where;
  EXPECT_EQ(IdsOf({With({again, store})}), Names{"hist_stored_after_atomic"});
  Finding in_counts = store;
  in_counts.space = MemorySpace::kGlobal;
  in_counts.object = "counts";
  Finding with_itself = in_counts;
  with_itself.other_access = Access::kWrite;
  with_itself.other = with_itself.where;
  EXPECT_EQ(IdsOf({With({in_counts, with_itself})}), Names{"hist_stored_after_atomic"});
}

/// A block that adds before another one has cleared the bins also reads them unset.
TEST(HistogramFactsTest, CountsThatAnotherBlockSetsAreNotForgotten) {
  Finding cleared = RaceInCopy(Access::kWrite, Access::kAtomic, 9, 15);
  cleared.space = MemorySpace::kGlobal;
  cleared.object = "counts";
  Finding unset = cleared;
  unset.kind = FindingKind::kUninitialised;
  EXPECT_EQ(IdsOf({With({cleared, unset})}), Names{"hist_cleared_in_kernel"});
  EXPECT_EQ(IdsOf({With({unset})}), Names{"hist_counts_read"});
  EXPECT_EQ(IdsOf({With({unset}), With({cleared, unset})}),
            (Names{"hist_counts_read", "hist_cleared_in_kernel"}))
      << "in one call nobody sets them";
}

/// The student has set them, and believes so.
TEST(HistogramFactsTest, CountsThatARefusedCallShouldHaveSet) {
  Finding unset = RaceInCopy(Access::kRead, Access::kAtomic, 9, 15);
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kGlobal;
  unset.object = "counts";
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.message = say::refused("cudaMemcpy", say::not_an_allocation());
  EXPECT_EQ(IdsOf({With({refused, unset})}), Names{"hist_clearing_refused"});
  refused.message = say::refused("cudaFree", say::not_an_allocation());
  EXPECT_EQ(IdsOf({With({refused, unset})}), Names{"hist_counts_read"}) << "it would set nothing";
}

/// cudaMemset with a number of elements where it takes bytes: a call without elements shows how far it gets.
TEST(HistogramFactsTest, CountsThatAreSetInPart) {
  Finding unset = RaceInCopy(Access::kRead, Access::kAtomic, 9, 15);
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kGlobal;
  unset.object = "counts";
  const auto poison = static_cast<int>(Poison());
  const auto ids_with = [&](std::vector<int> counts) {
    Evidence none = With({});
    none.input.clear();
    none.counts = std::move(counts);
    return IdsOf({With({unset}), none});
  };
  EXPECT_EQ(ids_with({0, 0, poison, poison, poison, poison}), Names{"hist_counts_partly"});
  EXPECT_EQ(ids_with({0, 0, 0, 0, 0, 0}), Names{"hist_counts_read"});
  EXPECT_EQ(ids_with({poison, poison, poison, poison, poison, poison}), Names{"hist_counts_read"});
  std::vector<int> of_a_warp(32, 0);
  of_a_warp.push_back(poison);
  EXPECT_EQ(ids_with(of_a_warp), Names{"hist_counts_read"}) << "a kernel's threads have set one each";
}

/// A warp that counts early also finds bins that nobody has cleared yet.
TEST(HistogramFactsTest, BinsThatAreNotClearedYetFollowFromAMissingBarrier) {
  const Finding early = RaceInCopy(Access::kAtomic, Access::kWrite, 12, 9);
  EXPECT_EQ(IdsOf({With({early, InCopy(FindingKind::kUninitialised)})}),
            Names{"hist_counted_before_cleared"});
}

/// An addition that is not atomic also races with the line that reads the copy.
TEST(HistogramFactsTest, APlainAdditionComesBeforeBarriers) {
  const Finding plain = RaceInCopy(Access::kWrite, Access::kRead, 12, 12);
  const Finding late = RaceInCopy(Access::kRead, Access::kAtomic, 15, 12);
  EXPECT_EQ(IdsOf({With({plain, late})}), Names{"hist_plain_addition"});
}

TEST(HistogramFactsTest, WithFewBinsTheCopyIsNotClearedAtAll) {
  Evidence many = With({InCopy(FindingKind::kUninitialised)}), few = many;
  EXPECT_EQ(IdsOf({many}), Names{"hist_bins_read"}) << "more bins than threads";
  few.bins = 3;
  EXPECT_EQ(IdsOf({many, few}), Names{"hist_copy_read"});
}

TEST(HistogramFactsTest, CountsFollowOneModel) {
  EXPECT_EQ(IdsOf({Counted({1, 2, 1, 0, 0, 2})}), Names{});
  EXPECT_EQ(IdsOf({Counted({1, 2, 1, 0, 0, 0})}), (Names{"hist_bins_missing", "hist_last_missing"}))
      << "both are possible: the last two elements are in the last bin";
  EXPECT_EQ(IdsOf({Counted({1, 2, 0, 0, 0, 0})}), Names{"hist_last_missing"});
  EXPECT_EQ(IdsOf({Counted({4, 8, 4, 0, 0, 8})}), Names{"hist_times_threads"});
  EXPECT_EQ(IdsOf({Counted({0, 0, 0, 0, 0, 0})}), Names{}) << "nothing was counted: any model gives that";
}

/// 300 elements in bin 2, one in bin 0 and two in bin 4.
Evidence Crowded(std::vector<int> counts) {
  Evidence e = Counted(std::move(counts));
  e.test = "AllElementsInOneBin";
  e.input.assign(300, 2);
  e.input.insert(e.input.end(), {0, 4, 4});
  e.result.wrong_count = 1;
  return e;
}

TEST(HistogramFactsTest, ACounterOfFewBitsLacksMultiplesOfItsRange) {
  EXPECT_EQ(IdsOf({Crowded({1, 0, 44, 0, 2, 0})}), Names{"hist_wrapped"});
  EXPECT_EQ(IdsOf({Crowded({1, 0, 44, 1, 2, 0})}), Names{"hist_wrapped"}) << "a carry into the next counter";
  EXPECT_EQ(IdsOf({Crowded({1, 0, 44, 2, 2, 0})}), Names{}) << "more than a carry";
  EXPECT_EQ(IdsOf({Crowded({1, 0, 44, 0, 1, 0})}), Names{}) << "another one is missing, too";
  EXPECT_EQ(IdsOf({Crowded({1, 0, 45, 0, 2, 0})}), Names{}) << "255 are missing";
}

TEST(HistogramFactsTest, OnlyManyBinsAreWrong) {
  Evidence few = Counted({1, 2, 1, 0, 0, 2}), many = Counted({1, 1, 1, 0, 0, 2});
  few.bins = 300;
  few.counts.resize(300);
  many.bins = 4096;
  many.counts.resize(4096);
  EXPECT_EQ(IdsOf({few, many}), Names{"hist_only_many_bins"});
  Evidence right = few;
  right.bins = 4096;
  right.counts.resize(4096);
  EXPECT_EQ(IdsOf({few, many, right}), Names{}) << "with as many it is also right";
  few.bins = 100;
  few.counts.resize(100);
  EXPECT_EQ(IdsOf({few, many}), Names{}) << "100 may be too few to tell";
}

/// Elements in calls of several lengths; counts as `count` has them.
std::string MistakeOf(const std::function<void(const Evidence& e, std::vector<int>& counts)>& count) {
  std::vector<Evidence> all;
  for (const auto& [length, bins, blocks] : {std::tuple{0u, 3, 1u}, {1u, 4, 2u}, {6u, 6, 2u}, {43u, 9, 3u}}) {
    Evidence& e = all.emplace_back();
    e.bins = bins;
    for (unsigned i = 0; i < length; ++i)
      e.input.push_back(static_cast<int>(i * i / 2 % static_cast<unsigned>(bins)));
    LaunchRecord launch;
    launch.completed = true;
    launch.block = {4, 1, 1};
    launch.grid = {blocks, 1, 1};
    e.result.launches = {launch};
    std::vector<int> right(static_cast<std::size_t>(bins));
    for (const int element : e.input) ++right[static_cast<std::size_t>(element)];
    e.counts = std::vector<int>(static_cast<std::size_t>(bins));
    count(e, e.counts);
    e.result.wrong_count = e.counts == right ? 0 : 1;
  }
  return English(MistakeInCounts(all));
}

void AddElements(const Evidence& e, std::size_t first, std::size_t step, std::vector<int>& counts) {
  for (std::size_t i = first; i < e.input.size(); i += step) ++counts[static_cast<std::size_t>(e.input[i])];
}

TEST(MistakeInCountsTest, OneMistakeGivesAllCounts) {
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) { AddElements(e, 0, 1, counts); }), "");
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) {
              AddElements(e, 0, 1, counts);
              if (e.input.size() > 40) ++counts[0];
            }),
            "");
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) {
              for (std::size_t b = 0; b < e.result.launches[0].grid.x; ++b) AddElements(e, 4 * b, 1, counts);
            }),
            "Each block counts every element from its first one to the end, so the last element is counted "
            "once by each block. By how "
            "much must a thread's index grow, so that no other block counts the same element?");
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) {
              const std::size_t blocks = e.result.launches[0].grid.x;
              for (std::size_t i = 0; i < e.input.size(); ++i) {
                const auto bin = static_cast<std::size_t>(e.input[i]);
                counts[bin] += bin / 4 % blocks == i / 4 % blocks;
              }
            }),
            "Each block adds only some bins of its copy to `counts`: the first 4 bins come from block 0 "
            "alone. Each "
            "block has a copy of its own: let its threads add every bin of it.");
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) {
              AddElements(e, 0, 1, counts);
              for (std::size_t b = 1; b < e.result.launches[0].grid.x; ++b)
                AddElements(e, e.input.size() / 4 * 4, 1, counts);
            }),
            "Each of the 2 blocks counts the one element of the test with length 1, which is past the last "
            "whole group "
            "of 4. Let only one block count such elements.");
  EXPECT_EQ(MistakeOf([](const Evidence& e, std::vector<int>& counts) {
              const std::size_t threads = 4 * e.result.launches[0].grid.x;
              for (std::size_t thread = 0; thread < threads; ++thread) {
                int previous = -1, run = 0;
                for (std::size_t i = thread; i < e.input.size(); i += threads) {
                  if (e.input[i] != previous && run > 0) counts[static_cast<std::size_t>(previous)] += run;
                  run = e.input[i] == previous ? run + 1 : 1;
                  previous = e.input[i];
                }
              }
            }),
            "Each thread's last run of equal elements is never counted. Which line adds a run that no other "
            "element "
            "ends?");
  EXPECT_EQ(
      MistakeOf([](const Evidence& e, std::vector<int>& counts) {
        const std::size_t blocks = e.result.launches[0].grid.x, bins = counts.size();
        std::vector<int> parts(blocks * bins);
        for (std::size_t i = 0; i < e.input.size(); ++i)
          ++parts[static_cast<std::size_t>(e.input[i]) * blocks + i / 4 % blocks];
        for (std::size_t k = 0; k < parts.size(); ++k) counts[k % bins] += parts[k];
      }),
      "The blocks' counts are stored at bin * 2 + block, but added up from block * bins + bin. Use one index "
      "for both.");
}

}  // namespace
}  // namespace warplings::histogram
