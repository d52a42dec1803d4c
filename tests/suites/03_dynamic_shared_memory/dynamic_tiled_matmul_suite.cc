// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 3's dynamic_tiled_matmul: values, and that the launch passes what two tiles need.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/matmul.h"
#include "tests/suites/03_dynamic_shared_memory/dynamic_tiled_matmul_evidence.h"
#include "tests/suites/03_dynamic_shared_memory/messages.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/timed_matmul.h"

namespace warplings::dynamic_tiled_matmul {
namespace {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// For each launch: a block of one thread (tile 1) needs the most instructions for a product, about 60; a
/// warp of it has one active lane.
std::uint64_t Budget(int width) {
  const auto w = static_cast<std::uint64_t>(width);
  return 1'000'000 + 128 * w * w * w;
}

class DynamicTiledMatmul : public testing::Test {
 protected:
  using Fill = std::vector<float> (*)(RandomValues&, std::size_t);

  /// `with_infinities`: as PutInfinities has them.
  void Check(const Message& title, int width, int tile, Fill fill = SignedValues,
             bool with_infinities = false) {
    RandomValues random = TestRandom();
    const auto w = static_cast<std::size_t>(width);
    Evidence e;
    e.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    e.width = width;
    e.tile = tile;
    MatmulInputs inputs{fill(random, w * w), fill(random, w * w)};
    if (with_infinities) PutInfinities({width, width, width}, inputs);
    e.m = std::move(inputs.m);
    e.n = std::move(inputs.n);
    const CallReport report =
        Session().Call({InputArray("M", e.m, OtherElements::AnyValue()),
                        InputArray("N", e.n, OtherElements::AnyValue()), OutputArray<float>("P", w * w)},
                       Budget(width), [&](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], p[2], width, tile);
                       });
    e.result = ResultOf(title, report);
    if (report.contents.size() == 3) {
      e.p = ValuesOf<float>(report.contents[2]);
      const reference::Bounded expected = reference::Matmul(e.m, e.n, w, w, w);
      const auto where = [w](std::size_t i) {
        return "P[" + std::to_string(i / w) + "][" + std::to_string(i % w) + "]";
      };
      AddComparison(e.result, CompareFloats(e.p, expected.value, expected.bound, where, w), "P");
    }
    CheckLaunches(e);
    RequireDeviceWork(e.result, report, MatmulWork({width, width, width}, kMostElementsOfAThread));
    CheckLoads(e);
    CheckTiles(e, report);
    if (with_infinities) AskAboutInfinity(e.p, w, e.result);
    if (Message step = StepOfTiles(e); !step.empty()) e.result.next_step = std::move(step);
    AdviseOfStoresPastColumns(width, tile, e.result);
    RecordResult(e.result);
    AllEvidence().push_back(std::move(e));
  }

 private:
  /// In each of ceil(width / tile) phases a block loads two tiles, at most whole ones.
  static void CheckLoads(Evidence& e) {
    if (e.result.verdict != Verdict::kPassed) return;
    const auto tile = static_cast<std::uint64_t>(e.tile);
    const std::uint64_t tiles = (static_cast<std::uint64_t>(e.width) + tile - 1) / tile;
    const std::uint64_t allowed = tiles * tiles * tiles * 2 * tile * tile * sizeof(float);
    const std::uint64_t loaded = BytesLoaded(TotalCounts(e.result));
    if (loaded > allowed) {
      AddVerdict(e.result, Verdict::kWrongResult, say::dynamic_tiles_loads(loaded, allowed), StepOfLoads(e));
    }
  }

  /// Both tiles go through shared memory.
  static void CheckTiles(Evidence& e, const CallReport& report) {
    MatmulEvidence called;
    called.shape = {e.width, e.width, e.width};
    called.result = std::move(e.result);
    called.most_elements_of_a_thread = MostElementsOfAThread(report);
    RequireSharedTraffic(called, TilesOf::kBoth);
    e.result = std::move(called.result);
  }

  static void CheckLaunches(Evidence& e) {
    const std::uint32_t needed = BytesOfBothTiles(e.tile);
    const auto threads = static_cast<std::uint64_t>(e.tile) * static_cast<std::uint64_t>(e.tile);
    for (const LaunchRecord& launch : e.result.launches) {
      if (launch.block.Volume() != threads) {
        AddVerdict(e.result, Verdict::kWrongResult,
                   say::dynamic_tiles_block(say::Count(launch.block.Volume(), "thread"), e.tile, threads),
                   say::dynamic_tiles_block_follows(say::Count(launch.block.Volume(), "thread"), e.tile));
      }
      if (launch.static_shared_bytes > 0) {
        AddVerdict(e.result, Verdict::kWrongResult,
                   say::dynamic_tiles_fixed(say::Count(launch.static_shared_bytes, "byte")),
                   say::dynamic_tiles_fixed_question(say::Count(launch.static_shared_bytes, "byte")));
      }
      if (launch.dynamic_shared_bytes != needed) {
        const std::uint32_t passed = launch.dynamic_shared_bytes;
        AddVerdict(e.result, Verdict::kWrongResult,
                   say::dynamic_tiles_passed(say::Count(launch.dynamic_shared_bytes, "byte"), e.tile, needed),
                   passed < needed ? say::dynamic_tiles_bytes(e.tile, needed, passed)
                                   : say::dynamic_tiles_bytes_alone(e.tile, needed, passed, passed - needed));
      }
    }
  }
};

TEST_F(DynamicTiledMatmul, SmallestTile) {
  Check(say::dynamic_tiles_smallest(), 1, 1);
}

TEST_F(DynamicTiledMatmul, TilesOfOneElement) {
  Check(say::dynamic_tiles_of_one(), 5, 1);
}

TEST_F(DynamicTiledMatmul, TileWiderThanTheMatrix) {
  Check(say::dynamic_tiles_wide(), 2, 16);
}

TEST_F(DynamicTiledMatmul, PictureOfTheBook) {
  Check(say::dynamic_tiles_shape(3, 2), 3, 2);
}

TEST_F(DynamicTiledMatmul, OneTile) {
  Check(say::dynamic_tiles_one(), 16, 16);
}

TEST_F(DynamicTiledMatmul, TileIsNoPowerOfTwo) {
  Check(say::dynamic_tiles_odd(), 23, 7);
}

TEST_F(DynamicTiledMatmul, WidthJustBelowTwoTiles) {
  Check(say::dynamic_tiles_shape(31, 16), 31, 16);
}

TEST_F(DynamicTiledMatmul, WidthJustAboveTwoTiles) {
  Check(say::dynamic_tiles_shape(33, 16), 33, 16);
}

TEST_F(DynamicTiledMatmul, WholeTilesInSeveralPhases) {
  Check(say::dynamic_tiles_whole(), 48, 12);
}

TEST_F(DynamicTiledMatmul, LargestTile) {
  Check(say::dynamic_tiles_largest(1024), 40, 32);
}

TEST_F(DynamicTiledMatmul, AnyWidthAndTile) {
  RandomValues random(SeedOfTest(Session().seed(), "DynamicTiledMatmul.AnyWidthAndTile.shape"));
  const int tile = 3 + static_cast<int>(random.Below(14));
  // P has 81 tiles or more: a block of a grid that is bounded by a number has to compute several.
  const int width = 8 * tile + 1 + static_cast<int>(random.Below(24));
  Check(say::dynamic_tiles_random(width, tile), width, tile);
}

TEST_F(DynamicTiledMatmul, AnInfinityStaysInItsRow) {
  Check(say::dynamic_tiles_infinities(), 19, 8, SignedValues, true);
}

TEST_F(DynamicTiledMatmul, LargeAndSmallValues) {
  Check(say::dynamic_tiles_values(4000), 29, 8, WideValues);
}

const bool graded =
    GradedBy({.shared = KernelGrading(),
              .header = {"P is right for every width and every `tile`.", InfinitySentence(),
                         "Each block has `tile` x `tile` threads.",
                         "Each launch asks for exactly 8 x `tile` x `tile` bytes of dynamic shared memory, "
                         "for the two tiles.",
                         "The kernel has no shared array of a fixed size.",
                         "In each of its ceil(width / `tile`) phases, a block loads at most two whole tiles "
                         "from global memory."},
              .page = Together(
                  {WorkSentences("M", "width x width x width", "width", kMostElementsOfAThread),
                   {"All blocks together load at most p x p x p x 8 x tile x tile bytes from global memory.",
                    SharedLoadSentence(), SharedStoreSentence(TilesOf::kBoth)}})});

/// With tiles of 2 and of 4, so that few elements show several phases.
std::vector<Explained> ExplainSums() {
  std::vector<MatmulTest> tests;
  const std::vector<Evidence> of_numbers = OfNumbers(AllEvidence());
  for (const Evidence& e : of_numbers) {
    tests.push_back({e.test, {e.width, e.width, e.width}, &e.result, e.m, e.n, e.p});
  }
  for (const int tile : {2, 4, 16}) {
    MatmulProbe probe;
    probe.entry = [tile](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                         const MatmulShape& shape) { return worker.Call(m, n, p, shape.rows, tile); };
    probe.square = true;
    probe.only_small = true;
    constexpr int kWidths[] = {3, 5, 8};
    probe.small_shapes = SquareShapes(kWidths);
    if (auto explained = ExplainMatmul(tests, probe); !explained.empty()) {
      Message& call = explained.front().explanation.call;
      call = say::call_with_tile(call, tile);
      return explained;
    }
  }
  return {};
}

/// Which call it is whose sums are all empty, and what to count there.
void AdviseOfZeros(std::vector<Explained>& explained) {
  for (Explained& each : explained) {
    const Message& said =
        say::with_call.Made(each.advice) ? each.advice.arguments().at(1).inner.at(0) : each.advice;
    const bool are_zeros = (say::values_all_hold.Made(said) || say::values_only_one_holds.Made(said)) &&
                           said.arguments().at(1).inner.at(0) == say::held_zero();
    const auto e = std::ranges::find_if(
        AllEvidence(), [&](const Evidence& evidence) { return FullNameOf(evidence.test) == each.test; });
    if (are_zeros && e != AllEvidence().end()) each.advice = say::dynamic_tiles_no_product(e->width, e->tile);
  }
}

/// What a finding says of a launch or a race holds for any kernel: what this contract says of it helps more.
void AdviseOfFindings(std::vector<Explained>& explained) {
  // Two threads that store the same element have a wrong index, and one that reads it may have it, too.
  const bool stores_race = std::ranges::any_of(
      AllEvidence(), [](const Evidence& e) { return std::ranges::any_of(e.result.findings, BothStore); });
  for (const Evidence& e : AllEvidence()) {
    if (!HasFailed(e.result)) continue;
    const std::string name = FullNameOf(e.test);
    if (std::ranges::count(explained, name, &Explained::test) > 0) continue;
    const auto threads = static_cast<std::int64_t>(e.tile) * e.tile;
    for (const Finding& finding : e.result.findings) {
      const auto [store, read] = LinesOfRace(finding);
      // There the barrier between the two lines is not the one that is missing.
      const bool is_between_phases = !RaceOfPasses(finding, e.result.launches, e.result.findings).empty();
      if (NeedsABarrier(finding) && store != read && !stores_race && !is_between_phases) {
        explained.push_back({name, {}, StepOfRace(e.tile, store, read)});
        break;
      }
      if (!Refused(finding, say::more_threads_than_promised.id)) continue;
      const Message& why = finding.message.arguments().at(1).inner.at(0);
      if (why.arguments().at(0).number != threads) continue;
      explained.push_back(
          {name, {}, say::dynamic_tiles_promised(e.tile, threads, why.arguments().at(1).number)});
      break;
    }
  }
}

/// What may tell the calls that fail from those that are right.
const CallTraits<Evidence>& TraitsOfTiles() {
  using E = Evidence;
  const auto is_power = [](int number) { return (number & (number - 1)) == 0; };
  static const CallTraits<Evidence> traits = {
      .traits = {
          {say::size_is_no_power_of_two("tile"), [=](const E& e) { return !is_power(e.tile); }},
          {say::size_is_power_of_two("tile"), [=](const E& e) { return is_power(e.tile); }},
          {say::square_of_size_is_above("tile", 32), [](const E& e) { return e.tile * e.tile > 32; }},
          {say::square_of_size_is_at_most("tile", 32), [](const E& e) { return e.tile * e.tile <= 32; }},
          {say::side_is("tile", 32), [](const E& e) { return e.tile == 32; }},
          {say::size_is_not("tile", 16), [](const E& e) { return e.tile != 16; }},
          {say::side_is_above("tile", 16), [](const E& e) { return e.tile > 16; }},
          {say::side_is_odd("tile"), [](const E& e) { return e.tile % 2 != 0; }},
          {say::side_is_no_multiple("tile", 4), [](const E& e) { return e.tile % 4 != 0; }},
          {say::side_is("tile", 1), [](const E& e) { return e.tile == 1; }},
          {say::size_is_no_multiple_of_other("width", "tile"),
           [](const E& e) { return e.width % e.tile != 0; }},
          {say::size_is_multiple_of_other("width", "tile"), [](const E& e) { return e.width % e.tile == 0; }},
          {say::size_is_above_other("width", "tile"), [](const E& e) { return e.width > e.tile; }},
          {say::size_is_below_other("width", "tile"), [](const E& e) { return e.width < e.tile; }},
          {say::size_is_above_two_of_other("width", "tile"), [](const E& e) { return e.width > 2 * e.tile; }},
          {say::side_is_odd("width"), [](const E& e) { return e.width % 2 != 0; }}}};
  return traits;
}

const bool explains = ExplainWith([] {
  std::vector<Explained> explained = ExplainSums();
  AdviseOfZeros(explained);
  AdviseOfFindings(explained);
  return WithContrast(std::move(explained), std::span<const Evidence>(AllEvidence()), TraitsOfTiles());
});

const bool states_facts = StateFactsWith([] { return FactsOf(OfNumbers(AllEvidence())); });

/// With the widest tiles that a block has threads for in two common sizes.
const bool timed = TimeWith([](bool rehearsal) {
  std::vector<TimedShape> shapes;
  for (const int tile : {16, 32}) {
    const int width = rehearsal ? 33 : 2048;
    shapes.push_back(TimedMatmul(say::timed_width_and_tile(width, tile), width, width, width,
                                 [=](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
                                   return worker.Call(m, n, p, width, tile);
                                 }));
  }
  return shapes;
});

}  // namespace
}  // namespace warplings::dynamic_tiled_matmul
