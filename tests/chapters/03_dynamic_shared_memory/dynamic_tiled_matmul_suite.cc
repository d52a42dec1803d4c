// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 3's dynamic_tiled_matmul: values, and that the launch passes what two tiles need.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/matmul.h"
#include "tests/chapters/03_dynamic_shared_memory/dynamic_tiled_matmul_evidence.h"
#include "tests/chapters/common/contrast.h"
#include "tests/chapters/common/explain_matmul.h"
#include "tests/chapters/common/matmul_counts.h"
#include "tests/chapters/common/timed_matmul.h"

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
  void Check(const std::string& title, int width, int tile, Fill fill = SignedValues,
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
        Session().Call({InputArray("M", e.m), InputArray("N", e.n), OutputArray<float>("P", w * w)},
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
      AddComparison(e.result, CompareFloats(e.p, expected.value, expected.bound, where), "P");
    }
    CheckLaunches(e);
    RequireDeviceWork(e.result, report, MatmulWork({width, width, width}, kMostElementsOfAThread));
    CheckLoads(e);
    CheckTiles(e, report);
    if (with_infinities) AskAboutInfinity(e.p, w, e.result);
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
      AddVerdict(e.result, Verdict::kWrongResult,
                 "the threads ask for " + std::to_string(loaded) +
                     " bytes in global memory; two tiles in each phase of each block have " +
                     std::to_string(allowed),
                 "From global memory a thread needs one element of each tile in each phase, which is 2 x " +
                     std::to_string(tiles) +
                     " in this test, and all others from shared memory. How many elements does a thread of "
                     "yours load from global memory, and in which line are there more?");
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
                   "a block has " + std::to_string(launch.block.Volume()) + " threads; a tile of width " +
                       std::to_string(e.tile) + " has " + std::to_string(threads),
                   "Let the block's shape follow `tile`.");
      }
      if (launch.static_shared_bytes > 0) {
        AddVerdict(e.result, Verdict::kWrongResult,
                   "the kernel has " + std::to_string(launch.static_shared_bytes) +
                       " bytes of shared memory whose size the compiler fixed",
                   "Which declaration with __shared__ has a size? The contract leaves room for one array, "
                   "the extern "
                   "one, in which both tiles lie.");
      }
      if (launch.dynamic_shared_bytes != needed) {
        AddVerdict(
            e.result, Verdict::kWrongResult,
            "the launch passes " + std::to_string(launch.dynamic_shared_bytes) +
                " bytes of shared memory; two tiles of width " + std::to_string(e.tile) + " need " +
                std::to_string(needed),
            "Write down how the number of bytes in your launch comes about in this test: which part of it "
            "stands for what? Two tiles have 2 x " +
                std::to_string(e.tile) + " x " + std::to_string(e.tile) + " elements of 4 bytes" +
                (launch.dynamic_shared_bytes < needed ? "."
                                                      : ", and the contract leaves room for nothing else."));
      }
    }
  }
};

TEST_F(DynamicTiledMatmul, SmallestTile) {
  Check("width 1, tile 1: two tiles of one element each", 1, 1);
}

TEST_F(DynamicTiledMatmul, TilesOfOneElement) {
  Check("width 5, tile 1: five phases", 5, 1);
}

TEST_F(DynamicTiledMatmul, TileWiderThanTheMatrix) {
  Check("width 2, tile 16: the tile is wider than the matrix", 2, 16);
}

TEST_F(DynamicTiledMatmul, PictureOfTheBook) {
  Check("width 3, tile 2", 3, 2);
}

TEST_F(DynamicTiledMatmul, OneTile) {
  Check("width 16, tile 16: exactly one tile", 16, 16);
}

TEST_F(DynamicTiledMatmul, TileIsNoPowerOfTwo) {
  Check("width 23, tile 7: both odd", 23, 7);
}

TEST_F(DynamicTiledMatmul, WidthJustBelowTwoTiles) {
  Check("width 31, tile 16", 31, 16);
}

TEST_F(DynamicTiledMatmul, WidthJustAboveTwoTiles) {
  Check("width 33, tile 16", 33, 16);
}

TEST_F(DynamicTiledMatmul, WholeTilesInSeveralPhases) {
  Check("width 48, tile 12: four phases, no edge", 48, 12);
}

TEST_F(DynamicTiledMatmul, LargestTile) {
  Check("width 40, tile 32: blocks of 1024 threads", 40, 32);
}

TEST_F(DynamicTiledMatmul, AnyWidthAndTile) {
  RandomValues random(SeedOfTest(Session().seed(), "DynamicTiledMatmul.AnyWidthAndTile.shape"));
  const int tile = 3 + static_cast<int>(random.Below(14));
  // P has 81 tiles or more: a block of a grid that is bounded by a number has to compute several.
  const int width = 8 * tile + 1 + static_cast<int>(random.Below(24));
  Check("random: width " + std::to_string(width) + ", tile " + std::to_string(tile), width, tile);
}

TEST_F(DynamicTiledMatmul, AnInfinityStaysInItsRow) {
  Check("width 19, tile 8, infinities in row 1 of M: row 1 of P is infinite, and no other", 19, 8,
        SignedValues, true);
}

TEST_F(DynamicTiledMatmul, LargeAndSmallValues) {
  Check("width 29, tile 8, values from 0.0002 to 4000", 29, 8, WideValues);
}

const bool graded = GradedBy(GradedWork("P", false),
                             {"The kernels load each element of M and N at least once, and do at least one "
                              "floating-point operation for each product.",
                              "No thread stores more than " + std::to_string(kMostElementsOfAThread) +
                                  " elements of P, and no warp executes more than 4000 + " +
                                  std::to_string(8 * kMostElementsOfAThread) + " x width instructions.",
                              "All blocks together load at most two whole tiles in each of their ceil(width "
                              "/ tile) phases from global memory.",
                              SharedLoadSentence(), SharedStoreSentence(TilesOf::kBoth),
                              "A block has tile x tile threads; the launch passes 8 x tile x tile bytes of "
                              "shared memory, and the kernel has none of a fixed size."});

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
      explained.front().explanation.call += ", tile " + std::to_string(tile);
      return explained;
    }
  }
  return {};
}

/// What may tell the calls that fail from those that are right.
const CallTraits<Evidence>& TraitsOfTiles() {
  using E = Evidence;
  const auto is_power = [](int number) { return (number & (number - 1)) == 0; };
  static const CallTraits<Evidence> traits = {
      .traits = {{"tile is no power of two", [=](const E& e) { return !is_power(e.tile); }},
                 {"tile is a power of two", [=](const E& e) { return is_power(e.tile); }},
                 {"tile x tile is above 32", [](const E& e) { return e.tile * e.tile > 32; }},
                 {"tile is 32", [](const E& e) { return e.tile == 32; }},
                 {"tile is not 16", [](const E& e) { return e.tile != 16; }},
                 {"tile is above 16", [](const E& e) { return e.tile > 16; }},
                 {"tile is odd", [](const E& e) { return e.tile % 2 != 0; }},
                 {"tile is no multiple of 4", [](const E& e) { return e.tile % 4 != 0; }},
                 {"tile is 1", [](const E& e) { return e.tile == 1; }},
                 {"width is no multiple of tile", [](const E& e) { return e.width % e.tile != 0; }},
                 {"width is a multiple of tile", [](const E& e) { return e.width % e.tile == 0; }},
                 {"width is above tile", [](const E& e) { return e.width > e.tile; }},
                 {"width is below tile", [](const E& e) { return e.width < e.tile; }},
                 {"width is above 2 x tile", [](const E& e) { return e.width > 2 * e.tile; }},
                 {"width is odd", [](const E& e) { return e.width % 2 != 0; }}}};
  return traits;
}

const bool explains = ExplainWith(
    [] { return WithContrast(ExplainSums(), std::span<const Evidence>(AllEvidence()), TraitsOfTiles()); });

const bool recognises = RecogniseWith([] { return Recognise(OfNumbers(AllEvidence())); });

/// With the widest tiles that a block has threads for in two common sizes.
const bool timed = TimeWith([](bool rehearsal) {
  std::vector<TimedShape> shapes;
  for (const int tile : {16, 32}) {
    const int width = rehearsal ? 33 : 2048;
    shapes.push_back(TimedMatmul("width " + std::to_string(width) + ", tile " + std::to_string(tile), width,
                                 width, width,
                                 [=](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
                                   return worker.Call(m, n, p, width, tile);
                                 }));
  }
  return shapes;
});

}  // namespace
}  // namespace warplings::dynamic_tiled_matmul
