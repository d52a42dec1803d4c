// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/reduce_evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "chapters/05_bank_conflicts/reduce_sequential.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/suite/comparison.h"
#include "grader/suite/random_values.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/element_groups.h"

namespace warplings::bank_conflicts {
namespace {

using Ids = std::vector<std::string>;

/// Sums of the elements whose place in their segment `is_in` lets pass.
template <class IsIn>
std::vector<float> Sums(const std::vector<float>& x, const IsIn& is_in) {
  std::vector<float> sums((x.size() + SEGMENT - 1) / SEGMENT);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_in(i % SEGMENT)) sums[i / SEGMENT] += x[i];
  }
  return sums;
}

Reduction Right(std::size_t n) {
  RandomValues random(n);
  Reduction r;
  r.test = "Length";
  r.x = SignedValues(random, n);
  r.sums = Sums(r.x, [](std::size_t) { return true; });
  LaunchRecord launch;
  launch.completed = true;
  launch.totals.divergent_branches = 6 * r.sums.size();
  launch.arrays = {{.label = "X", .load_bytes = n * sizeof(float), .load_sectors = (n + 7) / 8}};
  r.result.launches = {launch};
  r.result.verdict = Verdict::kPassed;
  return r;
}

template <class Change>
Ids IdsOf(const Change& change) {
  std::vector<Reduction> all;
  for (const std::size_t n : {1u, 10u, 255u, 256u, 257u, 1024u}) {
    all.push_back(Right(n));
    change(all.back());
  }
  Ids ids;
  for (const Fact& each : FactsOfReduction(all)) {
    EXPECT_FALSE(each.message.empty());
    ids.push_back(each.id);
  }
  return ids;
}

auto WithFinding(FindingKind kind, MemorySpace space) {
  return [=](Reduction& r) {
    Finding finding;
    finding.kind = kind;
    finding.space = space;
    finding.access = Access::kRead;
    finding.object = "X";
    r.result.findings.push_back(finding);
  };
}

/// So many reads behind the shared array for each segment.
auto BehindTheArray(std::uint64_t reads) {
  return [=](Reduction& r) {
    WithFinding(FindingKind::kOutOfBounds, MemorySpace::kShared)(r);
    r.result.findings.back().count = reads * r.sums.size();
  };
}

TEST(ReduceEvidenceTest, ARightAnswerShowsNothing) {
  EXPECT_EQ(IdsOf([](Reduction&) {}), Ids{});
  EXPECT_TRUE(FactsOfReduction({}).empty());
}

TEST(ReduceEvidenceTest, FindingsTellTheMistake) {
  EXPECT_EQ(IdsOf(WithFinding(FindingKind::kDivergentBarrier, MemorySpace::kNone)),
            Ids{"segments_part_at_barrier"});
  EXPECT_EQ(IdsOf(BehindTheArray(SEGMENT - 1)), Ids{"segments_reads_outside_shared"});
  EXPECT_EQ(IdsOf(BehindTheArray(1)), Ids{}) << "one thread too many in one step";
  const auto further = [](std::int64_t elements) {
    return [=](Reduction& r) {
      BehindTheArray(SEGMENT)(r);
      Finding& finding = r.result.findings.back();
      finding.thread.x = 224;
      finding.object_bytes = SEGMENT * 4;
      finding.offset_bytes = (224 + elements) * 4;
    };
  };
  EXPECT_EQ(IdsOf(further(SEGMENT)), Ids{"segments_adds_a_segment_further"});
  EXPECT_EQ(IdsOf(further(SEGMENT - 1)), Ids{}) << "another element";
  EXPECT_EQ(IdsOf(WithFinding(FindingKind::kRace, MemorySpace::kShared)), Ids{"race_in_shared_memory"});
  const auto empty = WithFinding(FindingKind::kUninitialised, MemorySpace::kShared);
  EXPECT_EQ(IdsOf([&](Reduction& r) {
              if (r.x.size() % SEGMENT != 0) empty(r);
            }),
            Ids{"segments_empty_places"});
  EXPECT_EQ(IdsOf(empty), Ids{}) << "in whole segments, too";
  const auto behind_x = [](std::uint64_t reads) {
    return [=](Reduction& r) {
      if (r.x.size() % SEGMENT == 0) return;
      WithFinding(FindingKind::kOutOfBounds, MemorySpace::kGlobal)(r);
      r.result.findings.back().count = reads != 0 ? reads : SEGMENT - r.x.size() % SEGMENT;
    };
  };
  EXPECT_EQ(IdsOf(behind_x(0)), Ids{"segments_reads_outside_x"});
  EXPECT_EQ(IdsOf(behind_x(3)), Ids{}) << "three of a vector";
}

/// The last steps of old slides, in one warp: a barrier inside `if (tx < 32)` would be a new mistake.
TEST(ReduceEvidenceTest, LanesOfAWarpRaceAmongThemselves) {
  std::uint64_t arrivals = 24;  // Of eight warps in three steps.
  const auto race = [&](const Message& message) {
    return [&arrivals, message](Reduction& r) {
      WithFinding(FindingKind::kRace, MemorySpace::kShared)(r);
      r.result.findings.back().message = message;
      LineCounts barrier;
      barrier.counts.barriers = arrivals;
      LaunchRecord launch;
      launch.block = {SEGMENT, 1, 1};
      launch.lines = {barrier};
      r.result.launches = {launch};
    };
  };
  const Message object = say::shared_array("partial"), other = say::another_thread_of_warp();
  const auto in_warp = race(say::race_in_warp(say::writes(), object, other, say::reads()));
  EXPECT_EQ(IdsOf(in_warp), Ids{"race_between_lanes"});
  arrivals = 64;
  EXPECT_EQ(IdsOf(in_warp), Ids{}) << "of all eight steps: the race is within one";
  arrivals = 8;
  EXPECT_EQ(IdsOf(in_warp), Ids{"race_in_shared_memory"}) << "nobody waits between two steps";
  arrivals = 24;
  EXPECT_EQ(IdsOf([&](Reduction& r) {
              in_warp(r);
              race(say::race_in_block(say::writes(), object, say::another_thread(), say::reads()))(r);
            }),
            Ids{"race_in_shared_memory"});
}

TEST(ReduceEvidenceTest, SumsOfNoSegmentAreNamedBesideOtherFaults) {
  const auto past_the_end = [](Reduction& r) {
    WithFinding(FindingKind::kOutOfBounds, MemorySpace::kGlobal)(r);
    r.result.findings.back().object = "sums";
    r.result.findings.back().access = Access::kWrite;
  };
  EXPECT_EQ(IdsOf(past_the_end), Ids{"segments_sums_past_the_end"});
  EXPECT_EQ(IdsOf([&](Reduction& r) {
              past_the_end(r);
              WithFinding(FindingKind::kRace, MemorySpace::kShared)(r);
            }),
            (Ids{"race_in_shared_memory", "segments_sums_past_the_end"}));
}

TEST(ReduceEvidenceTest, SumsOfNoSegmentSayWhoStoresThem) {
  const auto seen = [](std::uint32_t blocks, std::uint64_t outside) {
    Reduction r = Right(256);
    WithFinding(FindingKind::kOutOfBounds, MemorySpace::kGlobal)(r);
    Finding& finding = r.result.findings.back();
    finding.object = "sums";
    finding.access = Access::kWrite;
    finding.count = outside;
    LaunchRecord launch;
    launch.completed = true;
    launch.grid = {blocks, 1, 1};
    r.result.launches = {launch};
    const std::vector<Fact> facts = FactsOfReduction(std::vector{r});
    return facts.empty() ? "" : English(facts.front().message);
  };
  EXPECT_EQ(seen(2, 1), "Length (n = 256): with n = 256, 2 blocks store a sum each, but sums has 1 element");
  EXPECT_EQ(seen(1, 3), "Length (n = 256): a block stores 4 sums, but sums has 1 element");
  EXPECT_EQ(seen(2, 2), "Length (n = 256): 3 sums are stored, but sums has 1 element");
}

/// Threads out of step race, and who reads outside the array races, too: one cause, not three.
TEST(ReduceEvidenceTest, OneCauseIsNamed) {
  EXPECT_EQ(IdsOf([](Reduction& r) {
              WithFinding(FindingKind::kRace, MemorySpace::kShared)(r);
              BehindTheArray(SEGMENT - 1)(r);
            }),
            Ids{"segments_reads_outside_shared"});
}

TEST(ReduceEvidenceTest, AMissingStep) {
  const auto with = [](auto is_in) {
    return [=](Reduction& r) {
      const std::vector<float> sums = Sums(r.x, is_in);
      r.result.wrong_count = sums == r.sums ? 0 : sums.size();
      r.sums = sums;
    };
  };
  EXPECT_EQ(IdsOf(with([](std::size_t place) { return place % 2 == 0; })), Ids{"segments_sums_of_even"});
  EXPECT_EQ(IdsOf(with([](std::size_t place) { return place < SEGMENT / 2; })),
            Ids{"segments_sums_of_first_half"});
  // Whose other half was never loaded lacks no halving.
  EXPECT_EQ(IdsOf([&](Reduction& r) {
              with([](std::size_t place) { return place % 2 == 0; })(r);
              r.result.launches[0].arrays[0].load_bytes /= 2;
            }),
            Ids{});
  EXPECT_EQ(IdsOf(with([](std::size_t place) { return place == 0 || std::has_single_bit(place); })),
            Ids{"segments_sums_of_powers"});
  EXPECT_EQ(IdsOf(with([](std::size_t place) { return place % 3 != 0; })), Ids{});
}

TEST(ReduceEvidenceTest, AMissingSegment) {
  EXPECT_EQ(IdsOf([](Reduction& r) {
              if (r.x.size() % SEGMENT == 0) return;
              r.sums.back() = std::bit_cast<float>(Poison());
              r.result.wrong_count = 1;
              if (r.x.size() < SEGMENT) r.result.launches.clear();
            }),
            Ids{"segments_last_sum_missing"});
}

TEST(ReduceEvidenceTest, RightSumsInABadOrder) {
  const auto conflicts = [](Reduction& r) { r.result.launches[0].totals.shared_load_conflicts = 7; };
  const auto divergence = [](Reduction& r) {
    r.result.launches[0].totals.divergent_branches = 48 * r.sums.size();
  };
  const auto sectors = [](Reduction& r) { r.result.launches[0].totals.global_load_sectors = r.x.size(); };
  EXPECT_EQ(IdsOf(sectors), Ids{});  // By many threads, each with a few elements that lie apart.
  const auto in_a_long_warp = [&](std::uint64_t additions) {
    return [=](Reduction& r) {
      sectors(r);
      r.result.launches[0].longest_warp = 2 * SEGMENT;
      r.result.launches[0].totals.flop_requests = additions;
    };
  };
  EXPECT_EQ(IdsOf(in_a_long_warp(SEGMENT - 1)), Ids{"segments_sectors_read"});
  EXPECT_EQ(IdsOf(in_a_long_warp(13 * 4)), Ids{}) << "32 lanes for each of four segments, in turn";
  EXPECT_EQ(IdsOf(conflicts), Ids{"segments_load_conflicts"});
  const auto in_a_line = [&](std::uint64_t elsewhere) {
    return [=](Reduction& r) {
      LaunchRecord& launch = r.result.launches[0];
      LineCounts line{.where = {"mine.cu", 22}, .counts = {}};
      line.counts.shared_load_conflicts = 7;
      launch.lines = {line};
      launch.totals.shared_load_conflicts = 7;
      launch.totals.shared_store_conflicts = elsewhere;
    };
  };
  EXPECT_EQ(IdsOf(in_a_line(3)), Ids{"segments_load_conflicts_in"});
  EXPECT_EQ(IdsOf(in_a_line(0)), Ids{"segments_load_conflicts_here"}) << "7 in one line need no 7 in all";
  EXPECT_EQ(IdsOf(divergence), Ids{"segments_branches"});
  EXPECT_EQ(IdsOf([&](Reduction& r) {
              divergence(r);
              r.result.wrong_count = 1;
            }),
            Ids{});
}

TEST(NearlyRight, IsWhatRoundingLeaves) {
  const auto off_by = [](double part) {
    std::vector<Reduction> all = {Right(255), Right(1024)};
    double sizes = 0;
    for (std::size_t i = 0; i < SEGMENT; ++i) sizes += std::fabs(static_cast<double>(all[1].x[i]));
    all[1].sums[0] += static_cast<float>(part * sizes);
    return NearlyRight(all);
  };
  EXPECT_TRUE(say::segments_nearly_right.Made(off_by(0.0005))) << off_by(0.0005);
  EXPECT_EQ(off_by(0.01), "") << "an element is missing, say";
  std::vector<Reduction> whole = {Right(4)};
  whole[0].x = {1, 2, 3, 4};
  whole[0].sums = {10.01f};
  EXPECT_EQ(NearlyRight(whole), "") << "no type rounds 10";
  std::vector<Reduction> broken = {Right(255)};
  broken[0].result.launches.clear();
  EXPECT_EQ(NearlyRight(broken), "");
}

TEST(ElementGroupsTest, NeighboursAreLeftOutTogether) {
  const ElementGroups vectors{.size = 4};
  EXPECT_EQ(vectors.LastOf(5), 7u);
  EXPECT_FALSE(vectors.LeavesOut(3, 6));
  EXPECT_TRUE(vectors.LeavesOut(4, 6));
  EXPECT_FALSE(vectors.LeavesOut(6, 6)) << "it does not exist";
}

TEST(ElementGroupsTest, ElementsOfAThreadLieApart) {
  const ElementGroups threads{.size = 4, .stride = 64};
  EXPECT_EQ(threads.LastOf(10), 202u);
  EXPECT_EQ(threads.LastOf(256 + 74), 256u + 202u);
  EXPECT_TRUE(threads.LeavesOut(10, 200));
  EXPECT_FALSE(threads.LeavesOut(7, 200));
  const ElementGroups but_first{.size = 4, .stride = 64, .keeps_first = true};
  EXPECT_FALSE(but_first.LeavesOut(10, 200));
  EXPECT_TRUE(but_first.LeavesOut(74, 200));
}

/// What is said of sums that lack the elements for which `lacks` is true.
std::string MistakeOf(const std::function<bool(std::size_t place, std::size_t count)>& lacks) {
  std::vector<Reduction> all;
  for (const std::size_t n : {1u, 10u, 200u, 255u, 256u, 257u, 1024u}) {
    Reduction r = Right(n);
    const std::vector<float> right = r.sums;
    for (std::size_t b = 0; b < r.sums.size(); ++b) {
      const std::size_t count = std::min<std::size_t>(SEGMENT, n - b * SEGMENT);
      std::vector<float> kept;
      for (std::size_t place = 0; place < count; ++place) {
        if (!lacks(place, count)) kept.push_back(r.x[b * SEGMENT + place]);
      }
      r.sums[b] = Sums(kept, [](std::size_t) { return true; }).empty()
                      ? 0
                      : Sums(kept, [](std::size_t) { return true; })[0];
      r.result.wrong_count += r.sums[b] != right[b];
    }
    all.push_back(std::move(r));
  }
  return English(MistakeInSums(all));
}

TEST(MistakeInSumsTest, ElementsThatAreCheckedTogether) {
  EXPECT_EQ(MistakeOf([](std::size_t, std::size_t) { return false; }), "");
  EXPECT_EQ(
      MistakeOf([](std::size_t place, std::size_t count) { return place >= count / 4 * 4; }),
      "Only whole groups of 4 neighbouring elements are added: with n = 1, X[0] is missing because there is "
      "no X[3]. Check each element by itself.");
  EXPECT_EQ(
      MistakeOf([](std::size_t place, std::size_t count) { return place < 128 && place + 128 >= count; }),
      "Of two elements 128 apart, the first is left out if the second does not exist: with n = 1, X[0] is "
      "missing because there is no X[128]. Check each element by itself.");
  EXPECT_EQ(MistakeOf([](std::size_t place, std::size_t count) {
              return place >= 64 && place % 64 + 192 >= count;
            }),
            "If the last of 4 elements 64 apart does not exist, only the first is added: with n = 200, "
            "X[72] is "
            "missing because there is no X[200]. Check each element by itself.");
}

TEST(MistakeInSumsTest, StepsOfATree) {
  EXPECT_EQ(
      MistakeOf([](std::size_t place, std::size_t count) {
        for (; count > 1; count /= 2) {
          if (count % 2 == 1 && place == count - 1) return true;
          place = place >= count / 2 ? place - count / 2 : place;
        }
        return false;
      }),
      "A step that begins with an odd number of sums loses the last one: with n = 10, X[4] never reaches "
      "sums[0]. When you halve that number, round up, and add only what has a partner.");
  EXPECT_EQ(
      MistakeOf([](std::size_t place, std::size_t) { return place % 64 >= 32; }),
      "Each sum has only the first 32 of every 64 elements, as it comes out without the step that adds sums "
      "32 apart. Does your code run that step?");
  EXPECT_EQ(MistakeOf([](std::size_t place, std::size_t) { return place == 5; }), "") << "one element alone";
}

TEST(MistakeInSumsTest, SegmentsThatAreAddedUp) {
  std::vector<Reduction> all = {Right(10), Right(257)};
  all[1].sums[0] += all[1].sums[1];
  all[1].sums[1] = std::bit_cast<float>(Poison());
  all[1].result.wrong_count = 2;
  EXPECT_EQ(
      English(MistakeInSums(all)),
      "2 segments are added to one sum: with n = 257, sums[0] has the elements of segments 0 and 1, and "
      "sums[1] is never stored. Which thread should store the sum of segment 1?");
  all[1].sums[1] = 0;
  EXPECT_EQ(English(MistakeInSums(all)), "");
}

}  // namespace
}  // namespace warplings::bank_conflicts
