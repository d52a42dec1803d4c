// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's coarsened_matmul. Each test is one call of the submission's function on fresh inputs;
// its name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/chapters/06_coarsening/coarsened_matmul_evidence.h"
#include "tests/chapters/common/matmul_counts.h"
#include "tests/chapters/common/timed_matmul.h"

namespace warplings::coarsened_matmul {
namespace {

using coarsening::AllEvidence;
using coarsening::CallSquareMatmul;
using coarsening::SquareInputs;

class CoarsenedMatmul : public coarsening::SquareMatmulTest {
 protected:
  /// The contract's limit for one of the two: they are not loaded equally often, so that one may be loaded
  /// too often while both together are not.
  static void RequireLoadsOf(TestResult& result, const std::string& matrix, std::uint64_t times,
                             std::uint64_t whole_width) {
    const std::uint64_t column = 4 * whole_width, allowed = column * whole_width * times;
    const std::uint64_t loaded = TrafficOf(result, matrix).load_bytes;
    if (result.verdict != Verdict::kPassed || loaded <= allowed) return;
    const std::uint64_t more = loaded - allowed;
    const std::string size = std::to_string(whole_width) + " x " + std::to_string(whole_width);
    // Less than once more is no tile that each block loads anew.
    const bool is_part = more < column * whole_width;
    const std::string part = "That is " + std::to_string(more) + " bytes more than allowed, as many as " +
                             OneDecimal(static_cast<double>(more) / static_cast<double>(column)) +
                             " columns or rows of " + matrix +
                             " have: which elements does a block load twice or without using them, and in "
                             "which line?";
    AddVerdict(result, Verdict::kWrongResult,
               "the kernel loads " + std::to_string(loaded) + " bytes of " + matrix + "; at most " +
                   std::to_string(allowed) + " are allowed, which is a matrix of " + size + " " +
                   std::to_string(times) + (times == 1 ? " time" : " times"),
               is_part ? part
               : matrix == "M"
                   ? "Tiles of P that lie side by side need the same tiles of M. How many blocks lie side "
                     "by side, and how often does one of them load the same element of M?"
                   : "Each row of blocks loads N. How many rows of blocks are there, how often does one of "
                     "them load the same element of N, and do all columns that it loads exist?");
  }

  /// Where neither M nor N is loaded too often.
  static std::string NextStepOfOthers() {
    return "Of M and N no more is loaded than allowed. What else does the kernel load, or update atomically, "
           "in "
           "global memory?";
  }

  /// Full sectors are a matter of what the threads of a warp ask for at once.
  static std::string NextStepOfSectors(const TestResult& result) {
    const std::string waste = WasteOfLoads(result);
    return (waste.empty() ? "" : "Nowhere more is wasted than here: " + waste + ". ") +
           "Which addresses do threads 0, 1 and 2 of a warp ask for at once, and do they lie side by side?";
  }

  /// At every width: as at a whole number of tiles, since threads beyond the edge may load something, too.
  static void GradeLoads(TestResult& result, int width) {
    const auto [blocks, rows, whole] = TimesOf(width);
    const std::uint64_t allowed = 4 * whole * whole * (blocks + rows);
    const std::uint64_t loaded = BytesLoaded(TotalCounts(result));
    RequireLoadsOf(result, "M", blocks, whole);
    RequireLoadsOf(result, "N", rows, whole);
    if (result.verdict != Verdict::kPassed || loaded <= allowed) return;
    AddVerdict(result, Verdict::kWrongResult,
               "the kernel loads " + std::to_string(loaded) + " bytes from global memory; at most " +
                   std::to_string(allowed) + " are allowed",
               NextStepOfOthers());
  }

  /// Every byte is in a full sector when a warp loads 32 columns side by side, of rows that begin at a
  /// sector. Twice as many are allowed, since a smaller block's rows are shorter. Elsewhere as
  /// for the tiles of other chapters (LoadsAreCoalesced).
  static void GradeSectors(TestResult& result, int width) {
    const auto [blocks, rows, whole] = TimesOf(width);
    const auto w = static_cast<std::uint64_t>(width);
    const std::uint64_t of_a_row =
        width % 32 == 0 ? w / 4 : 4 * ((w + 7) / 8 + whole / 32);  // each time that it is loaded
    const std::uint64_t allowed = (blocks + rows) * whole * of_a_row;
    const std::uint64_t loaded = SectorsLoaded(TotalCounts(result));
    if (result.verdict != Verdict::kPassed || loaded <= allowed) return;
    AddVerdict(result, Verdict::kWrongResult,
               "the kernel loads " + std::to_string(loaded) + " sectors of 32 bytes; at most " +
                   std::to_string(allowed) + " are allowed",
               NextStepOfSectors(result));
  }

  static void Check(const std::string& title, int width, FillFunction fill = SignedValues) {
    MatmulEvidence evidence = CallSquareMatmul(title, width, SquareInputs(width, fill));
    TestResult loads = evidence.result, sectors = evidence.result;
    GradeLoads(loads, width);
    GradeSectors(sectors, width);
    BrokenLimits().Note("loads", evidence.result, loads);
    BrokenLimits().Note("sectors", evidence.result, sectors);
    Record(std::move(evidence));
  }

 private:
  /// How often the contract lets M and N be loaded, and the width rounded up to whole tiles.
  struct Times {
    std::uint64_t of_m, of_n, whole_width;
  };
  static Times TimesOf(int width) {
    const auto w = static_cast<std::uint64_t>(width);
    return {(w + kSpan - 1) / kSpan, (w + 31) / 32, (w + 31) / 32 * 32};
  }
};

TEST_F(CoarsenedMatmul, OneOf4096ElementsOfABlockExists) {
  Check("width 1: a block has room for 4096 elements of P, and one exists", 1);
}

TEST_F(CoarsenedMatmul, WidthJustBelowATile) {
  Check("width 31: the first of four tiles is not quite full", 31);
}

TEST_F(CoarsenedMatmul, SecondColumnOfOneThreadExists) {
  Check("width 33: one thread of a row has a second column, the others have not", 33);
}

TEST_F(CoarsenedMatmul, EachElementHasItsOwnSum) {
  Check("width 64: two whole tiles for a block, with elements of their own", 64);
}

TEST_F(CoarsenedMatmul, LastTileIsPartial) {
  Check("width 100: the fourth tile of a block has four columns", 100);
}

TEST_F(CoarsenedMatmul, LastColumnIsMissing) {
  Check("width 127: the last thread has three columns, not four", 127);
}

TEST_F(CoarsenedMatmul, SecondBlockHasOneColumn) {
  Check("width 129: the second block begins at column 128 and has that one", 129);
}

TEST_F(CoarsenedMatmul, BlocksLieSideBySide) {
  Check("width 200: the second block goes on where the first one ends", 200);
}

/// 34 to 159, no multiple of a tile's width: what the other widths show must hold for all.
TEST_F(CoarsenedMatmul, AnyWidth) {
  RandomValues random(SeedOfTest(Session().seed(), "CoarsenedMatmul.AnyWidth.width"));
  const int width = 32 * static_cast<int>(1 + random.Below(4)) + static_cast<int>(2 + random.Below(30));
  Check("a random width: " + std::to_string(width), width);
}

TEST_F(CoarsenedMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(CoarsenedMatmul, LargeAndSmallValues) {
  Check("width 70, values from 0.0002 to 4000", 70, WideValues);
}

/// A width of one whole block, so that no tile is partial. T = 32, F = 4, floats of 4 bytes:
///
///   a phase of a block   1 tile of M and F tiles of N: 5 x 32^2 x 4 = 20,480 bytes,
///                        for F x 32^3 products: 262,144 operations                  12.8 a byte
///   not coarsened        2 tiles for one tile of P                                   8
///   untiled              8 bytes for 2 operations                                    0.25
///
/// The limit is what the contract allows, 4 W^2 (ceil(W / 128) + ceil(W / 32)) bytes; larger tiles and vector
/// loads need less and pass. A second call has whole tiles and a last block with fewer than four: there a
/// tile too many, which does not exist at width 128, exists.
TEST_F(CoarsenedMatmul, TileOfMIsLoadedOnceForFourTilesOfP) {
  RandomValues random(SeedOfTest(Session().seed(), "CoarsenedMatmul.TileOfM.width"));
  const int other_width = 32 * static_cast<int>(5 + random.Below(3));
  MatmulEvidence evidence = CallSquareMatmul("width 128: a tile of M is loaded once for four tiles of P",
                                             kSpan, SquareInputs(kSpan));
  GradeLoads(evidence.result, kSpan);
  GradeSectors(evidence.result, kSpan);
  if (evidence.result.verdict == Verdict::kPassed) {
    TestResult other = CallSquareMatmul("", other_width, SquareInputs(other_width)).result;
    GradeLoads(other, other_width);
    GradeSectors(other, other_width);
    AddVerdict(evidence.result, other.verdict, "width " + std::to_string(other_width) + ": " + other.reason,
               other.next_step);
  }
  BrokenLimits().Tell("loads", evidence.result);
  BrokenLimits().Tell("sectors", evidence.result);
  Record(std::move(evidence));
}

const bool graded =
    GradedBy(GradedWork("P", false),
             {"The kernels load each element of M and N at least once, and do at least one floating-point "
              "operation for each product.",
              "No thread stores more than " + std::to_string(kMostElementsOfACoarseThread) +
                  " elements of P, and no warp executes more than 4000 + " +
                  std::to_string(8 * kMostElementsOfACoarseThread) + " x width instructions.",
              "Together all blocks load M ceil(width / 128) times and N ceil(width / 32) times, and not once "
              "more; where width is no multiple of 32, as often as if it were the next one.",
              "Where width is a multiple of 32, that takes at most (ceil(width / 128) + width / 32) x width "
              "x width / 4 sectors of 32 bytes, twice as many as hold the bytes.",
              "Elsewhere a row of M or N takes at most 4 x (ceil(width / 8) + ceil(width / 32)) sectors each "
              "of these times."});

const bool explains = ExplainWith(coarsening::ExplainSquares);

const bool recognises = RecogniseWith([] { return Recognise(OfNumbers(AllEvidence())); });

const bool timed = TimeWith([](bool rehearsal) {
  return TimedSquareMatmuls(rehearsal, [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                                          int width) { return worker.Call(m, n, p, width); });
});

}  // namespace
}  // namespace warplings::coarsened_matmul
