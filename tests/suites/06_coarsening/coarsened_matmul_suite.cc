// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's coarsened_matmul. Each test is one call of the submission's function on fresh inputs;
// its name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/06_coarsening/coarsened_matmul_evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/timed_matmul.h"

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
    AddVerdict(
        result, Verdict::kWrongResult,
        times == 1 ? say::coarse_matmul_loads_of_once(loaded, matrix, allowed, whole_width)
                   : say::coarse_matmul_loads_of(loaded, matrix, allowed, whole_width, {times, "time"}),
        // Less than once more is no tile that each block loads anew.
        more < column * whole_width ? StepOfPart(result, matrix, loaded, allowed, whole_width)
        : matrix == "N"             ? say::coarse_matmul_n_step()
        : loaded == kCoarseFactor * allowed && HasTilesSideBySide(result, static_cast<int>(whole_width))
            ? say::coarse_matmul_m_each_tile_step()
        : HasTilesBelowOneAnother(result, static_cast<int>(whole_width))
            ? say::coarse_matmul_m_below_step()
            : StepOfFewTiles(result, static_cast<int>(whole_width)));
  }

  /// Full sectors are a matter of what the threads of a warp ask for at once.
  static Message NextStepOfSectors(const TestResult& result) {
    const Message waste = WasteOfLoads(result);
    return waste.empty() ? say::coarse_matmul_sectors_step()
                         : say::both(say::coarse_matmul_waste_step(waste), say::coarse_matmul_sectors_step());
  }

  /// At every width: as at a whole number of tiles, since threads beyond the edge may load something, too.
  static void GradeLoads(TestResult& result, int width) {
    const auto [blocks, rows, whole] = TimesOf(width);
    const std::uint64_t allowed = 4 * whole * whole * (blocks + rows);
    const std::uint64_t loaded = BytesLoaded(TotalCounts(result));
    RequireLoadsOf(result, "M", blocks, whole);
    RequireLoadsOf(result, "N", rows, whole);
    if (result.verdict != Verdict::kPassed || loaded <= allowed) return;
    AddVerdict(result, Verdict::kWrongResult, say::coarse_matmul_loads(loaded, allowed),
               say::coarse_matmul_loads_step());
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
    AddVerdict(result, Verdict::kWrongResult, say::coarse_matmul_sectors(loaded, allowed),
               NextStepOfSectors(result));
  }

  static void Check(const Message& title, int width, FillFunction fill = SignedValues) {
    MatmulEvidence evidence = CallSquareMatmul(title, width, SquareInputs(width, fill));
    TestResult loads = evidence.result, sectors = evidence.result;
    GradeLoads(loads, width);
    GradeSectors(sectors, width);
    BrokenLimits().Note("loads", evidence.result, loads, say::width(width));
    BrokenLimits().Note("sectors", evidence.result, sectors, say::width(width));
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
  Check(say::coarse_matmul_one_element(1, kTileWidth * kSpan), 1);
}

TEST_F(CoarsenedMatmul, WidthJustBelowATile) {
  Check(say::coarse_matmul_below_a_tile(31), 31);
}

TEST_F(CoarsenedMatmul, SecondColumnOfOneThreadExists) {
  Check(say::coarse_matmul_second_column(33), 33);
}

TEST_F(CoarsenedMatmul, EachElementHasItsOwnSum) {
  Check(say::coarse_matmul_own_sums(64), 64);
}

TEST_F(CoarsenedMatmul, LastTileIsPartial) {
  Check(say::coarse_matmul_partial_tile(100), 100);
}

TEST_F(CoarsenedMatmul, LastColumnIsMissing) {
  Check(say::coarse_matmul_last_column(127), 127);
}

TEST_F(CoarsenedMatmul, SecondBlockHasOneColumn) {
  Check(say::coarse_matmul_second_block(129), 129);
}

TEST_F(CoarsenedMatmul, BlocksLieSideBySide) {
  Check(say::coarse_matmul_side_by_side(200), 200);
}

/// 34 to 159, no multiple of a tile's width: what the other widths show must hold for all.
TEST_F(CoarsenedMatmul, AnyWidth) {
  RandomValues random(SeedOfTest(Session().seed(), "CoarsenedMatmul.AnyWidth.width"));
  const int width = 32 * static_cast<int>(1 + random.Below(4)) + static_cast<int>(2 + random.Below(30));
  Check(say::square_any_width(width), width);
}

TEST_F(CoarsenedMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(CoarsenedMatmul, LargeAndSmallValues) {
  Check(say::square_wide_values(70, 4000), 70, WideValues);
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
  MatmulEvidence evidence = CallSquareMatmul(say::coarse_matmul_tile_of_m(kSpan), kSpan, SquareInputs(kSpan));
  GradeLoads(evidence.result, kSpan);
  GradeSectors(evidence.result, kSpan);
  if (evidence.result.verdict == Verdict::kPassed) {
    TestResult other = CallSquareMatmul("", other_width, SquareInputs(other_width)).result;
    GradeLoads(other, other_width);
    GradeSectors(other, other_width);
    AddVerdict(evidence.result, other.verdict, say::coarse_matmul_at_width(other_width, other.reason),
               other.next_step);
    // A report's counts are those of the call that breaks the limit.
    if (other.verdict != Verdict::kPassed) evidence.result.launches = std::move(other.launches);
  }
  BrokenLimits().Tell("loads", evidence.result);
  BrokenLimits().Tell("sectors", evidence.result);
  Record(std::move(evidence));
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header =
         {"P is right at every width.", InfinitySentence(),
          "All blocks together load M at most ceil(width / " + std::to_string(kSpan) + ") times.",
          "All blocks together load N at most ceil(width / 32) times.",
          "Loads are coalesced: neighbouring threads load neighbouring elements. If width is a "
          "multiple of 32, the GPU fetches at most twice the bytes that the two limits above allow. (It "
          "fetches whole 32-byte sectors.)"},
     .page = Together(
         {WorkSentences("M", "width x width x width", "width", kMostElementsOfACoarseThread),
          {"At most ceil(width / 128) x 4 x w x w bytes are loaded from M, and at most ceil(width / 32) x 4 "
           "x w x w bytes from N.",
           "In all, other arrays included, the kernels load at most (ceil(width / 128) + ceil(width / 32)) x "
           "4 "
           "x w x w bytes from global memory.",
           "If width is a multiple of 32, the loads fetch at most (ceil(width / 128) + width / 32) x width x "
           "width / 4 sectors.",
           "If width is not a multiple of 32, the loads fetch at most (ceil(width / 128) + ceil(width / 32)) "
           "x w x 4 x s(width) sectors. (The factor 4 is slack.)"}})});

/// What the tests' own values show comes before what was computed for other widths.
std::vector<Explained> Explain() {
  std::vector<Explained> explained = coarsening::ExplainSquares();
  const Message left_out = ColumnsLeftOut(OfNumbers(AllEvidence()));
  if (left_out.empty()) return explained;
  for (Explained& each : explained) {
    each.explanation.facts.insert(each.explanation.facts.begin(), left_out);
    if (!each.advice.empty()) each.advice = left_out;
  }
  return explained;
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOf(OfNumbers(AllEvidence())); });

const bool timed = TimeWith([](bool rehearsal) {
  return TimedSquareMatmuls(rehearsal, [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                                          int width) { return worker.Call(m, n, p, width); });
});

}  // namespace
}  // namespace warplings::coarsened_matmul
