// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/tiled_matmul_evidence.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "grader/suite/random_values.h"
#include "reference/matmul.h"
#include "tests/suites/01_boundary_checks/guard_models.h"
#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/messages.h"

namespace warplings::tiled_matmul {
namespace {

constexpr int kWidths[] = {1, 2, 3, 15, 16, 17, 31, 33, 40, 64, 100};

Finding Shared(FindingKind kind) {
  Finding finding;
  finding.kind = kind;
  finding.space = MemorySpace::kShared;
  finding.object = "shared array `Mds`";
  return finding;
}

Finding OutsideFinding(const std::string& label, Access access, std::uint64_t count) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = MemorySpace::kGlobal;
  finding.access = access;
  finding.object = label;
  finding.count = count;
  return finding;
}

std::vector<float> Rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// What a right and tiled answer shows at one width.
Evidence Right(int width) {
  RandomValues random(static_cast<std::uint64_t>(width));
  const auto w = static_cast<std::size_t>(width);
  Evidence e;
  e.test = "Width" + std::to_string(width);
  e.width = width;
  e.m = SignedValues(random, w * w);
  e.n = SignedValues(random, w * w);
  e.p = Rounded(reference::Matmul(e.m, e.n, w, w, w).value);
  LaunchRecord launch;
  launch.completed = true;
  launch.totals.shared_load_requests = launch.totals.global_load_requests = 1;
  e.result.launches = {launch};
  return e;
}

/// Calls FactsOf on the evidence of all widths, after `change` made each what a wrong answer shows there.
std::vector<std::string> Ids(const std::function<void(Evidence&)>& change, const ProductFacts& facts = {}) {
  std::vector<Evidence> all;
  for (const int width : kWidths) {
    all.push_back(Right(width));
    change(all.back());
  }
  std::vector<std::string> ids;
  for (const Fact& each : FactsOf(all, facts)) {
    EXPECT_FALSE(each.message.empty());
    ids.push_back(each.id);
  }
  return ids;
}

void AddOutside(Evidence& e, const std::string& label, Access access, std::uint64_t count) {
  if (count > 0) e.result.findings.push_back(OutsideFinding(label, access, count));
}

using Names = std::vector<std::string>;

bool Partial16(const Evidence& e) {
  return e.width % 16 != 0;
}

TEST(FactsTest, ARightAnswerShowsNothing) {
  EXPECT_EQ(Ids([](Evidence&) {}), Names{});
  EXPECT_TRUE(FactsOf({}).empty());
}

TEST(FactsTest, EachCheckOfALoadIsToldByItsCounts) {
  const auto with = [](Guard m, Guard n) {
    return Ids([&](Evidence& e) {
      AddOutside(e, "M", Access::kRead, ReadsOutside(Load::kM, m, e.width));
      AddOutside(e, "N", Access::kRead, ReadsOutside(Load::kN, n, e.width));
    });
  };
  EXPECT_EQ(with(Guard::kNone, Guard::kRight), Names{"m_load_unguarded"});
  EXPECT_EQ(with(Guard::kRowOnly, Guard::kRight), Names{"m_load_unguarded"});
  EXPECT_EQ(with(Guard::kColumnOnly, Guard::kRight), Names{"m_load_unguarded"});
  EXPECT_EQ(with(Guard::kRight, Guard::kNone), Names{"n_load_unguarded"});
  EXPECT_EQ(with(Guard::kRight, Guard::kRowOnly), Names{"n_load_unguarded"});
  EXPECT_EQ(with(Guard::kRight, Guard::kColumnOnly), Names{"n_load_unguarded"});
  EXPECT_EQ(with(Guard::kNone, Guard::kNone), (Names{"m_load_unguarded", "n_load_unguarded"}));
  EXPECT_EQ(with(Guard::kLastPhase, Guard::kLastPhase), Names{"guard_only_in_last_phase"});
  EXPECT_EQ(with(Guard::kOther, Guard::kOther), Names{"guards_swapped"});
  EXPECT_EQ(with(Guard::kOther, Guard::kRight), Names{}) << "copied, not interchanged";
  EXPECT_EQ(with(Guard::kRight, Guard::kOther), Names{});
  // A check of P at the loads sends nobody away: "tiled_returned_early" needs a barrier that threads left
  // out.
  EXPECT_EQ(with(Guard::kOutput, Guard::kOutput), Names{});
  EXPECT_EQ(with(Guard::kOffByOne, Guard::kOffByOne), Names{"guard_off_by_one"});
  for (const Guard guard : {Guard::kOffByOne, Guard::kRowOffByOne, Guard::kColumnOffByOne}) {
    EXPECT_EQ(with(guard, Guard::kRight), Names{"guard_off_by_one"}) << static_cast<int>(guard);
    EXPECT_EQ(with(Guard::kRight, guard), Names{"guard_off_by_one"}) << static_cast<int>(guard);
  }
}

TEST(FactsTest, EvidenceHasTheWidthUnlessTheTitleHasIt) {
  std::vector<Evidence> all = {Right(15)};
  AddOutside(all[0], "N", Access::kRead, ReadsOutside(Load::kN, Guard::kNone, 15));
  const Message reads = say::tiled_reads_outside(CountOutside(all[0].result, "N", Access::kRead), "N");
  const auto evidence = [&] { return FactsOf(all).at(0).message; };
  EXPECT_EQ(evidence(), say::of_test_with_width(all[0].test, 15, reads));
  all[0].result.title = say::tiled_end_of_a_row();
  EXPECT_EQ(evidence(), say::of_test_with_width(all[0].test, 15, reads));
  all[0].result.title = say::tiled_just_below_a_tile(15);
  EXPECT_EQ(evidence(), say::of_test(all[0].test, reads));
}

/// What a kernel reads outside that runs no last phase and checks nothing is just what one reads that checks
/// in the last phase only.
TEST(FactsTest, AMissingPhaseIsNoCheckInTheLastPhaseOnly) {
  const auto unchecked = [](Evidence& e) {
    AddOutside(e, "M", Access::kRead, ReadsOutside(Load::kM, Guard::kLastPhase, e.width));
  };
  ProductFacts facts;
  facts.times.assign(18, 1);
  facts.times[16] = facts.times[17] = 0;
  facts.sentences = {"Each sum ends after 1 phase."};
  EXPECT_EQ(Ids(unchecked, facts), (Names{"m_load_unguarded", "phase_count_rounded_down"}));
  EXPECT_EQ(Ids(unchecked), Names{"guard_only_in_last_phase"});
}

/// A load from M that asks for the row of N reads as much outside, and leaves elements out besides.
TEST(FactsTest, ACheckThatLosesElementsIsNoCheckInTheLastPhaseOnly) {
  const auto outside = [](Evidence& e) {
    AddOutside(e, "M", Access::kRead, ReadsOutside(Load::kM, Guard::kLastPhase, e.width));
  };
  ProductFacts facts;
  facts.lacking = 3;
  EXPECT_EQ(Ids(outside, facts), Names{});
}

/// The same where stores outside P have changed its sums: nothing is loaded where there is no whole phase.
TEST(FactsTest, NothingIsCheckedInALastPhaseThatDoesNotRun) {
  const auto only_whole_phases = [](Evidence& e) {
    AddOutside(e, "M", Access::kRead, ReadsOutside(Load::kM, Guard::kLastPhase, e.width));
    AddOutside(e, "P", Access::kWrite, WritesOutside(Guard::kNone, e.width));
    if (e.width < kTileWidth) e.result.launches[0].totals.global_load_requests = 0;
  };
  EXPECT_EQ(Ids(only_whole_phases), (Names{"tiled_no_last_phase", "m_load_unguarded", "p_store_unguarded"}));
  EXPECT_EQ(Ids([&](Evidence& e) {
              only_whole_phases(e);
              if (e.width == 15) e.result.launches[0].totals.global_load_requests = 1;
            }),
            (Names{"guard_only_in_last_phase", "p_store_unguarded"}))
      << "a partial phase runs";
  EXPECT_EQ(Ids([&](Evidence& e) {
              only_whole_phases(e);
              e.result.launches[0].totals.global_load_requests = 0;
            }),
            (Names{"guard_only_in_last_phase", "p_store_unguarded"}))
      << "loads were not counted";
}

/// Where sums lack products that exist, the load reads at a wrong index, and its check may be right.
TEST(FactsTest, AWrongIndexIsNoMissingCheck) {
  const auto one_too_far = [](Evidence& e) { AddOutside(e, "M", Access::kRead, 1); };
  EXPECT_EQ(Ids(one_too_far), Names{"m_load_unguarded"});
  ProductFacts facts;
  facts.lacking = 9;
  EXPECT_EQ(Ids(one_too_far, facts), Names{});
}

/// What is stored outside P and missing in it has a wrong index.
TEST(FactsTest, AWrongRowOfPIsNoMissingCheck) {
  const auto outside = [](Evidence& e) {
    if (Partial16(e)) AddOutside(e, "P", Access::kWrite, 1);
  };
  EXPECT_EQ(Ids(outside), Names{"p_store_unguarded"});
  EXPECT_EQ(Ids([&](Evidence& e) {
              outside(e);
              if (Partial16(e)) e.p.back() = std::bit_cast<float>(Poison());
            }),
            Names{});
}

/// The last phase is lost where it is a whole one, too: no division rounds down there.
TEST(FactsTest, APhaseThatIsAlwaysLostIsNoPartialOne) {
  const auto without_last = [](Evidence& e) {
    const auto w = static_cast<std::size_t>(e.width), kept = (w - 1) / 16 * 16;
    std::vector<float> m;
    for (std::size_t row = 0; row < w; ++row)
      for (std::size_t i = 0; i < kept; ++i) m.push_back(e.m[row * w + i]);
    const std::vector<float> n(e.n.begin(), e.n.begin() + static_cast<std::ptrdiff_t>(kept * w));
    e.p = Rounded(reference::Matmul(m, n, w, kept, w).value);
    e.result.wrong_count = w * w;
  };
  ProductFacts facts;
  facts.times.assign(18, 1);
  facts.times[16] = facts.times[17] = 0;
  facts.sentences = {"Each sum ends after 1 phase."};
  EXPECT_EQ(Ids(without_last, facts), Names{});
  EXPECT_EQ(Ids(
                [&](Evidence& e) {
                  if (Partial16(e)) without_last(e);
                },
                facts),
            (Names{"tiled_no_last_phase", "phase_count_rounded_down"}));
}

/// Threads that a tile has no place for may return.
TEST(FactsTest, SuperfluousThreadsMayReturn) {
  const auto empty = [](std::uint32_t width) {
    return [width](Evidence& e) {
      e.result.launches[0].block = {width, width, 1};
      if (!Partial16(e)) return;
      e.result.findings = {Shared(FindingKind::kUninitialised), Shared(FindingKind::kBarrierAfterExit)};
    };
  };
  EXPECT_EQ(Ids(empty(16)), Names{"tiled_returned_early"});
  EXPECT_EQ(Ids(empty(32)), Names{});
}

/// No two checks lead to the same counts at all widths, unless they are the same misconception.
TEST(FactsTest, NoTwoChecksAreConfused) {
  for (const Load load : {Load::kM, Load::kN}) {
    std::map<std::vector<std::uint64_t>, Guard> seen;
    for (const Guard guard : kGuards) {
      std::vector<std::uint64_t> counts;
      for (const int width : kWidths) counts.push_back(ReadsOutside(load, guard, width));
      const auto [entry, is_new] = seen.emplace(counts, guard);
      const bool both_harmless = entry->second == Guard::kRight;
      EXPECT_TRUE(is_new || both_harmless)
          << static_cast<int>(guard) << " " << static_cast<int>(entry->second);
    }
  }
}

/// Counted by hand for small matrices.
TEST(GuardModelsTest, CountsAreThoseOfThePicture) {
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kNone, 1), 255u);    // all but M[0]
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kOffByOne, 1), 3u);  // (0,1) (1,0) (1,1)
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kOffByOne, 3), 5u);  // (2,3) and four of row 3
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kNone, 16), 0u);
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kLastPhase, 15), 0u);            // its only phase is the last
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kLastPhase, 17), 2u * 15 * 16);  // 15 rows of two blocks
  EXPECT_EQ(ReadsOutside(Load::kN, Guard::kLastPhase, 33), 0u);
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kOther, 17), 270u);
  EXPECT_EQ(ReadsOutside(Load::kM, Guard::kOutput, 17), 15u);
  EXPECT_EQ(WritesOutside(Guard::kNone, 1), 255u);
  EXPECT_EQ(WritesOutside(Guard::kOffByOne, 2), 4u);
}

TEST(FactsTest, StoresOutsideP) {
  EXPECT_EQ(
      Ids([](Evidence& e) { AddOutside(e, "P", Access::kWrite, WritesOutside(Guard::kNone, e.width)); }),
      Names{"p_store_unguarded"});
  EXPECT_EQ(
      Ids([](Evidence& e) { AddOutside(e, "P", Access::kWrite, WritesOutside(Guard::kOffByOne, e.width)); }),
      Names{"guard_off_by_one"});
  EXPECT_EQ(Ids([](Evidence& e) {
              AddOutside(e, "P", Access::kWrite, WritesOutside(Guard::kRowOffByOne, e.width));
            }),
            Names{"guard_off_by_one"});
}

TEST(FactsTest, RacesTellWhichBarrierIsMissing) {
  EXPECT_EQ(Ids([](Evidence& e) {
              e.result.findings = {Shared(FindingKind::kRace), Shared(FindingKind::kUninitialised)};
            }),
            Names{"tiled_race_in_only_phase"});
  EXPECT_EQ(Ids([](Evidence& e) {
              if (e.width > kTileWidth) e.result.findings = {Shared(FindingKind::kRace)};
            }),
            Names{"race_between_phases"});
  // A 0 for a place without an element that is stored into another thread's: no barrier mends that.
  EXPECT_EQ(Ids([](Evidence& e) {
              if (e.width > kTileWidth && e.width % kTileWidth != 0)
                e.result.findings = {Shared(FindingKind::kRace)};
            }),
            Names{});
}

/// The next tile, say, is stored while this one is in use: it is complete all the same.
TEST(FactsTest, AStoreBehindTheReadIsNoTileUsedTooEarly) {
  const auto race = [](int store, int read, bool store_comes_last) {
    Finding finding = Shared(FindingKind::kRace);
    finding.access = store_comes_last ? Access::kWrite : Access::kRead;
    finding.where = {"a.cu", store_comes_last ? store : read};
    finding.other = SourceLine{"a.cu", store_comes_last ? read : store};
    return Ids([&](Evidence& e) { e.result.findings = {finding}; });
  };
  for (const bool store_comes_last : {false, true}) {
    EXPECT_EQ(race(20, 30, store_comes_last), Names{"tiled_race_in_only_phase"});
    EXPECT_EQ(race(30, 20, store_comes_last), Names{});
  }
}

/// Tiles of 8 have two phases at width 15: what counts is what stands between the lines.
TEST(FactsTest, SmallerTilesRaceBetweenPhasesBelowATile) {
  const auto race = [](int first_width, std::uint64_t first_barriers, std::uint64_t second_barriers) {
    return Ids([&](Evidence& e) {
      if (e.width < first_width) return;
      Finding finding = Shared(FindingKind::kRace);
      finding.access = Access::kWrite;
      finding.where = {"a.cu", 20};
      finding.other = SourceLine{"a.cu", 30};
      e.result.findings = {finding};
      for (const auto& [line, arrivals] : {std::pair(25, first_barriers), std::pair(32, second_barriers)}) {
        LineCounts counted;
        counted.where = {"a.cu", line};
        counted.counts.barriers = arrivals;
        e.result.launches[0].lines.push_back(counted);
      }
    });
  };
  EXPECT_EQ(race(15, 8, 0), Names{"race_between_phases"});
  EXPECT_EQ(race(15, 0, 8), Names{}) << "not below, where there surely is one phase";
  EXPECT_EQ(race(1, 0, 8), Names{"tiled_race_in_only_phase"});
  // A barrier in the first phase only: later ones race within themselves.
  EXPECT_EQ(race(17, 2, 8), Names{});
  EXPECT_EQ(race(17, 8, 2), Names{"race_between_phases"});
}

/// A place that nobody wrote is read, and what is made of it is stored.
void AddStale(Evidence& e) {
  e.result.findings = {Shared(FindingKind::kUninitialised)};
  e.p.back() = std::numeric_limits<float>::quiet_NaN();
}

/// Several faults at once, as the starter of repair_tiled_matmul has them.
TEST(FactsTest, ARaceBetweenPhasesHidesNoEmptyPlaces) {
  EXPECT_EQ(Ids([](Evidence& e) {
              if (e.width % kTileWidth != 0) AddStale(e);
              if (e.width > kTileWidth) e.result.findings.push_back(Shared(FindingKind::kRace));
              AddOutside(e, "N", Access::kRead, ReadsOutside(Load::kN, Guard::kRowOnly, e.width));
            }),
            (Names{"race_between_phases", "tiled_elements_unwritten", "n_load_unguarded"}));
}

TEST(FactsTest, EmptyPlacesInTiles) {
  const auto partial = [](const Evidence& e) { return e.width % kTileWidth != 0; };
  EXPECT_EQ(Ids([&](Evidence& e) {
              if (partial(e)) AddStale(e);
            }),
            Names{"tiled_elements_unwritten"});
  EXPECT_EQ(Ids([&](Evidence& e) {
              if (partial(e)) e.result.findings = {Shared(FindingKind::kUninitialised)};
            }),
            Names{})
      << "nothing stored depends on such a place";
  Finding left;
  left.kind = FindingKind::kBarrierAfterExit;
  left.severity = Severity::kWarning;
  EXPECT_EQ(Ids([&](Evidence& e) {
              if (partial(e)) e.result.findings = {Shared(FindingKind::kUninitialised), left};
            }),
            Names{"tiled_returned_early"});
  // Half a tile loaded, say: there is no edge that would be the reason.
  EXPECT_EQ(Ids([](Evidence& e) { e.result.findings = {Shared(FindingKind::kUninitialised)}; }), Names{});
}

TEST(FactsTest, DivergentBarriersExplainWhatFollowsFromThem) {
  EXPECT_EQ(Ids([](Evidence& e) {
              e.result.findings = {Shared(FindingKind::kDivergentBarrier), Shared(FindingKind::kRace),
                                   Shared(FindingKind::kUninitialised)};
            }),
            Names{"tiled_different_barriers"});
}

/// P with only the first `kept` products of each sum.
std::vector<float> Truncated(const Evidence& e, std::size_t kept) {
  const auto w = static_cast<std::size_t>(e.width);
  std::vector<float> p(w * w);
  for (std::size_t i = 0; i < w * w; ++i) {
    for (std::size_t k = 0; k < kept; ++k) p[i] += e.m[i / w * w + k] * e.n[k * w + i % w];
  }
  return p;
}

void LeaveOut(Evidence& e, int covered) {
  for (int i = 0; i < e.width * e.width; ++i) {
    if (i / e.width < covered && i % e.width < covered) continue;
    e.p[static_cast<std::size_t>(i)] = std::bit_cast<float>(Poison());
    ++e.result.wrong_count;
  }
}

TEST(FactsTest, RoundedCounts) {
  const auto phases = [](Evidence& e) {
    const int whole = e.width / kTileWidth * kTileWidth;
    if (whole == e.width) return;
    e.p = Truncated(e, static_cast<std::size_t>(whole));
    e.result.wrong_count = e.p.size();
  };
  const auto grid = [](Evidence& e) {
    const int whole = e.width / kTileWidth * kTileWidth;
    if (whole == 0) e.result.launches.clear();  // refused: an empty grid
    LeaveOut(e, whole);
  };
  EXPECT_EQ(Ids(phases), Names{"tiled_no_last_phase"});
  EXPECT_EQ(Ids(grid), Names{"tiled_last_tiles_unwritten"});
  EXPECT_EQ(Ids([&](Evidence& e) {
              grid(e);
              if (!e.result.launches.empty()) e.result.launches[0].grid = {100, 100, 1};
            }),
            Names{})
      << "there is a thread for each, which a check keeps away";
  EXPECT_EQ(Ids([&](Evidence& e) {
              phases(e);
              grid(e);
            }),
            (Names{"tiled_last_tiles_unwritten", "tiled_no_last_phase"}));
}

TEST(FactsTest, UntiledIsNamedWhereAllElseIsRight) {
  const auto untiled = [](Evidence& e) { e.result.launches[0].totals.shared_load_requests = 0; };
  EXPECT_EQ(Ids(untiled), Names{"no_shared_load_in_any_test"});
  EXPECT_EQ(Ids([&](Evidence& e) {
              untiled(e);
              e.result.wrong_count = 1;
            }),
            Names{});
}

/// A kernel of another shape, whose counts no model gives.
TEST(FactsTest, OtherShapesAreNamedOnlyWhereItIsSure) {
  EXPECT_EQ(Ids([](Evidence& e) {
              if (e.width < kTileWidth) AddOutside(e, "N", Access::kRead, 7);
            }),
            Names{"n_load_unguarded"});
  EXPECT_EQ(Ids([](Evidence& e) {
              if (e.width > kTileWidth) AddOutside(e, "N", Access::kRead, 7);
            }),
            Names{});
}

}  // namespace
}  // namespace warplings::tiled_matmul
