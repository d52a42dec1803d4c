// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 1's tiled_matmul. Each test is one call of the submission's function on fresh inputs; its
// name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "grader/judge/judge.h"
#include "reference/matmul.h"
#include "tests/chapters/01_boundary_checks/tiled_matmul_evidence.h"

namespace warplings::tiled_matmul {
namespace {

/// What all tests saw, for Recognise.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// The watchdog's budget for a launch: 64 warp instructions for each of width^3 products is enough for a
/// single thread that computes the whole product alone; a tiled kernel needs about a fortieth of one.
std::uint64_t Budget(int width) {
  const auto w = static_cast<std::uint64_t>(width);
  return 1'000'000 + 64 * w * w * w;
}

struct Inputs {
  std::vector<float> m, n;
};

class TiledMatmul : public testing::Test {
 protected:
  using Fill = std::vector<float> (*)(RandomValues&, std::size_t);

  /// One call at `width`, with M and N from `fill`.
  void Check(const std::string& title, int width, Fill fill = SignedValues) {
    RandomValues random = TestRandom();
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
    Inputs inputs;
    inputs.m = fill(random, count);
    inputs.n = fill(random, count);
    Record(Call(title, width, inputs));
  }

  /// Calls the submission and compares; findings, launches and values are in what comes back.
  Evidence Call(const std::string& title, int width, const Inputs& inputs) {
    const std::size_t count = inputs.m.size();
    const CallReport report =
        Session().Call({InputArray("M", inputs.m), InputArray("N", inputs.n), OutputArray<float>("P", count)},
                       Budget(width), [width](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], p[2], width);
                       });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.width = width;
    evidence.result = ResultOf(title, report);
    evidence.m = inputs.m;
    evidence.n = inputs.n;
    if (report.contents.size() != 3) return evidence;
    evidence.p = ValuesOf<float>(report.contents[2]);

    const auto w = static_cast<std::size_t>(width);
    const reference::Bounded expected = reference::Matmul(inputs.m, inputs.n, w, w, w);
    const auto where = [w](std::size_t i) {
      return "P[" + std::to_string(i / w) + "][" + std::to_string(i % w) + "]";
    };
    AddComparison(evidence.result, CompareFloats(evidence.p, expected.value, expected.bound, where), "P");
    return evidence;
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(TiledMatmul, OneThreadOf256HasWork) {
  Check("width 1: one element, and a block of 256 threads", 1);
}

TEST_F(TiledMatmul, TileIsWiderThanTheMatrix) {
  Check("width 2: a tile is eight times as wide as the matrix", 2);
}

/// The picture of the book: behind the last column of a row lies the first of the next. Small integers, each
/// once in its matrix, so that a student can follow a wrong element by hand.
TEST_F(TiledMatmul, EndOfARowIsNotTheNextColumn) {
  RandomValues random = TestRandom();
  Inputs inputs;
  inputs.m = DistinctIntegers(random, 9, 1);
  inputs.n = DistinctIntegers(random, 9, 11);
  Record(Call("3 x 3 with small integers: what lies behind the end of a row", 3, inputs));
}

TEST_F(TiledMatmul, WidthJustBelowATile) {
  Check("width 15, one less than a tile", 15);
}

TEST_F(TiledMatmul, WidthOfExactlyOneTile) {
  Check("width 16, exactly one tile", 16);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostEmpty) {
  Check("width 17: the second phase holds a single column", 17);
}

TEST_F(TiledMatmul, LastPhaseIsAlmostFull) {
  Check("width 31: the second phase lacks a single column", 31);
}

TEST_F(TiledMatmul, EveryPhaseNeedsItsChecks) {
  Check("width 33: the last blocks reach over the edge in each of three phases", 33);
}

TEST_F(TiledMatmul, WholeTilesInSeveralPhases) {
  Check("width 64: no edge at all, four phases one after another", 64);
}

TEST_F(TiledMatmul, ManyTilesAndAPart) {
  Check("width 100: six whole tiles and a quarter", 100);
}

/// 18 to 95, no multiple of a tile's width: what the other widths show must hold for all.
TEST_F(TiledMatmul, AnyWidth) {
  RandomValues random(SeedOfTest(Session().seed(), "TiledMatmul.AnyWidth.width"));
  const int width = 16 * static_cast<int>(1 + random.Below(5)) + static_cast<int>(2 + random.Below(14));
  Check("a random width: " + std::to_string(width), width);
}

TEST_F(TiledMatmul, LargeAndSmallValues) {
  Check("width 40, values from 0.0002 to 4000", 40, WideValues);
}

/// A request is one warp's load; a sector is 32 bytes, 8 floats. With width W a multiple of 16 and rows that
/// start on a sector's boundary (64 bytes a row of a tile):
///
///   tiled     (W/16)^2 blocks x W/16 phases x 2 tiles x 16 rows x 2 sectors     = W^3 / 64
///   untiled   W^2/32 warps x W products x s sectors a product, where a warp whose 32 elements of P lie in
///             r rows and c columns (r x c >= 32) touches r sectors of M and at least c/8 of N;
///             s = 4 at best (2 rows of 16 or 1 row of 32: 5)                    = W^3 / 8
///   one input tiled, the other not:  W^3/128 + W^2/32 x W x 2 at best           = W^3 / 14.2
///
/// The limit stands at twice the tiled kernel's sectors, half of what half a tiling needs. Larger tiles
/// need fewer sectors and pass.
TEST_F(TiledMatmul, TilesAreReadFromSharedMemory) {
  constexpr int kWidth = 64;
  constexpr std::uint64_t kLimit = 2 * (std::uint64_t{kWidth} * kWidth * kWidth / 64);
  RandomValues random = TestRandom();
  Inputs inputs;
  inputs.m = SignedValues(random, kWidth * kWidth);
  inputs.n = SignedValues(random, kWidth * kWidth);
  Evidence evidence =
      Call("width 64: each element is fetched once for a tile, not once for a product", kWidth, inputs);

  std::uint64_t sectors = 0, shared_loads = 0;
  for (const LaunchRecord& launch : evidence.result.launches) {
    sectors += launch.totals.global_load_sectors;
    shared_loads += launch.totals.shared_load_requests;
  }
  if (shared_loads == 0) {
    AddVerdict(evidence.result, Verdict::kWrongResult, "the kernel reads nothing from shared memory",
               "Let the threads of a block load each tile once, together, into shared memory.");
  } else if (sectors > kLimit) {
    AddVerdict(evidence.result, Verdict::kWrongResult,
               "the kernel reads " + std::to_string(sectors) +
                   " sectors of 32 bytes from global memory; a tiled one needs " + std::to_string(kLimit / 2),
               "Look for inner products that still read M or N themselves.");
  }
  Record(std::move(evidence));
}

const bool recognises = RecogniseWith([] { return Recognise(AllEvidence()); });

}  // namespace
}  // namespace warplings::tiled_matmul
