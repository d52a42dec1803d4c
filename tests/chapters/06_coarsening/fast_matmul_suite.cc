// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's fast_matmul: results at widths that fit no tile, and the counts that make a kernel fast.
// Each test's name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/chapters/06_coarsening/fast_matmul_evidence.h"
#include "tests/chapters/common/matmul_counts.h"
#include "tests/chapters/common/timed_matmul.h"

namespace warplings::fast_matmul {
namespace {

using coarsening::AllEvidence;
using coarsening::CallSquareMatmul;
using coarsening::SquareInputs;

/// 256 or 384, which nobody knows beforehand.
int CountedWidth() {
  RandomValues random(SeedOfTest(Session().seed(), "FastMatmul.counted.width"));
  return 128 * static_cast<int>(2 + random.Below(2));
}

/// AtCountedWidth("WHAT").
std::string AtCountedWidth(const std::string& what) {
  return "width " + std::to_string(CountedWidth()) + ": " + what;
}

class FastMatmul : public coarsening::SquareMatmulTest {
 protected:
  /// From width 64 on, where a block's tile is not mostly empty: what the counted width allows, at the next
  /// multiple of 128, which is what blocks of the largest usual tiles compute. Of rows that do not begin at a
  /// sector narrow tiles touch twice as many, and some designs load those without vectors: four times.
  static void Check(const std::string& title, int width, FillFunction fill = SignedValues) {
    MatmulEvidence evidence = CallSquareMatmul(title, width, SquareInputs(width, fill));
    const Counts counts = TotalCounts(evidence.result);
    const Limits limits = LimitsOf((width + 127) / 128 * 128);
    const auto note = [&](const char* limit, std::uint64_t count, std::uint64_t most,
                          const std::string& what) {
      TestResult graded = evidence.result;
      if (width >= 64 && count > most) {
        AddVerdict(
            graded, Verdict::kWrongResult,
            std::to_string(count) + " " + what + ", and at most " + std::to_string(most) + " are allowed",
            "At width " + std::to_string(CountedWidth()) +
                " the same count is within its limit. What does your code do otherwise at this width, and "
                "for "
                "which of its elements does it have to?");
      }
      BrokenLimits().Note(limit, evidence.result, graded);
    };
    note("sectors", SectorsLoaded(counts), 4 * limits.sectors, "sectors loaded from global memory");
    note("shared", counts.shared_load_requests, limits.shared_requests, "loads of warps from shared memory");
    note("conflicts", Conflicts(counts), PartialConflictLimit(counts), "bank conflicts");
    note("barriers", counts.barriers, 2 * limits.barriers + 64, "arrivals of warps at a barrier");
    Record(std::move(evidence));
  }
};

TEST_F(FastMatmul, OneElement) {
  Check("width 1: no vector of four floats exists", 1);
}

TEST_F(FastMatmul, RowsOfThreeAreNotAligned) {
  Check("width 3: the second row begins at byte 12", 3);
}

TEST_F(FastMatmul, OneVectorARow) {
  Check("width 4: a row is one vector of four floats", 4);
}

TEST_F(FastMatmul, AlignedAndPartial) {
  Check("width 36: rows of whole vectors, and a last phase that is almost empty", 36);
}

TEST_F(FastMatmul, NotAlignedAndPartial) {
  Check("width 67, a prime: neither vectors nor tiles fit", 67);
}

TEST_F(FastMatmul, WidthJustBelowATile) {
  Check("width 127, one less than a usual tile", 127);
}

TEST_F(FastMatmul, SecondTileHasOneRow) {
  Check("width 129: a second tile for one row and one column", 129);
}

TEST_F(FastMatmul, AnyWidth) {
  RandomValues random(SeedOfTest(Session().seed(), "FastMatmul.AnyWidth.width"));
  const int width = 5 + static_cast<int>(random.Below(140));
  Check("a random width: " + std::to_string(width), width);
}

TEST_F(FastMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(FastMatmul, LargeAndSmallValues) {
  Check("width 70, values from 0.0002 to 4000", 70, WideValues);
}

// --- Counts: one call, a test for each. The limits and their derivation are at LimitsOf. -------------------

/// The call at CountedWidth(), made by the first of the tests below that runs.
const MatmulEvidence& Counted() {
  static const MatmulEvidence evidence = [] {
    MatmulEvidence called = CallSquareMatmul("", CountedWidth(), SquareInputs(CountedWidth()));
    AllEvidence().push_back(called);
    return called;
  }();
  return evidence;
}

/// A count of the call against its limit. A wrong or failed call fails each of these tests as itself.
void RecordCount(const std::string& title, const char* broken, std::uint64_t count, std::uint64_t limit,
                 const std::string& what, const std::string& next_step) {
  TestResult result = Counted().result;
  result.title = title;
  RequireKnownResources(result, Session().resources());
  if (count > limit) {
    AddVerdict(result, Verdict::kWrongResult,
               std::to_string(count) + " " + what + ", and at most " + std::to_string(limit) + " are allowed",
               next_step);
  }
  BrokenLimits().Tell(broken, result);
  RecordResult(std::move(result));
}

/// On average.
std::uint64_t ArrivalsOfAWarp(const MatmulEvidence& e) {
  std::uint64_t warps = 0;
  for (const LaunchRecord& launch : e.result.launches)
    warps += launch.grid.Volume() * ((launch.block.Volume() + 31) / 32);
  return warps == 0 ? 0 : TotalCounts(e.result).barriers / warps;
}

TEST_F(FastMatmul, AnOperandServesManyProducts) {
  RecordCount(AtCountedWidth("an operand from shared memory serves many products"), "shared",
              TotalCounts(Counted().result).shared_load_requests, LimitsOf(CountedWidth()).shared_requests,
              "loads of warps from shared memory",
              "Count the loads and the products of one thread for one k: which loads bring what the thread "
              "has already, which could bring four operands at a time, and would a larger patch need more "
              "loads for each product, or fewer?");
}

TEST_F(FastMatmul, BanksDoNotConflict) {
  const Counts counts = TotalCounts(Counted().result);
  const bool of_loads = counts.shared_load_conflicts >= counts.shared_store_conflicts;
  const std::string line = LineWithMost(
      Counted().result, of_loads ? &Counts::shared_load_conflicts : &Counts::shared_store_conflicts);
  RecordCount(AtCountedWidth("the threads of a warp ask for different banks"), "conflicts", Conflicts(counts),
              ConflictLimit(counts), "bank conflicts",
              std::string("Write down the first word that each thread of a warp ") +
                  (of_loads ? "asks for" : "stores into") + (line.empty() ? "" : " in " + line) +
                  ", and its bank. Of vectors of four floats eight neighbouring threads share a turn, of two "
                  "floats sixteen, of one float all 32: which of these have one bank and different words?");
}

TEST_F(FastMatmul, ATileServesManyElements) {
  const Counts counts = TotalCounts(Counted().result);
  const std::uint64_t limit = LimitsOf(CountedWidth()).sectors;
  const std::string waste = BytesLoaded(counts) <= 32 * limit ? WasteOfLoads(Counted().result) : "";
  RecordCount(
      AtCountedWidth("a tile from global memory serves at least 64 x 64 elements"), "sectors",
      SectorsLoaded(counts), limit, "sectors loaded from global memory",
      waste.empty()
          ? "How many elements of P does a block compute, how often does it load an element of M or N, "
            "and how many blocks load the same one? A larger tile of P needs fewer loads."
          : "The bytes are few enough, and they lie in too many sectors: " + waste +
                ". Which addresses do threads 0, 1 and 2 of a warp ask for there?");
}

TEST_F(FastMatmul, OneBarrierAPhaseIsEnough) {
  RecordCount(AtCountedWidth("a barrier serves many products"), "barriers",
              TotalCounts(Counted().result).barriers, LimitsOf(CountedWidth()).barriers,
              "arrivals of warps at a barrier",
              BarrierLines(Counted()) == 1
                  ? "A warp comes " + std::to_string(ArrivalsOfAWarp(Counted())) +
                        " times to a barrier on average, nowhere more often than in " +
                        LineWithMost(Counted().result, &Counts::barriers) +
                        ": how many products does a thread add up between two of these, and how many would "
                        "it with more "
                        "steps of k in a phase, or with more elements of its own?"
                  : "With two sets of tiles, count the barriers that a phase still needs, and the products "
                    "that a thread "
                    "adds up between two of them.");
}

TEST_F(FastMatmul, SumsStayInRegisters) {
  static_cast<void>(Counted());  // the resources are known once something has run
  std::uint64_t bytes = 0;
  for (const KernelResources& kernel : Session().resources()) {
    bytes = std::max<std::uint64_t>(bytes, kernel.local_bytes);
  }
  RecordCount(
      "sums and operands live in registers", "local", bytes, 0, "bytes of local memory a thread",
      "An array of a thread lies there if some index of it is known only at run time, as in a loop that "
      "is not unrolled; so do values for which no registers are left. Which arrays and values does a "
      "thread of this kernel have?");
}

const bool graded =
    GradedBy(GradedWork("P", false),
             {"The kernels load each element of M and N at least once, and do at least one floating-point "
              "operation for each product.",
              "No thread stores more than " + std::to_string(kMostElementsOfACoarseThread) +
                  " elements of P, and no warp executes more than 4000 + " +
                  std::to_string(8 * kMostElementsOfACoarseThread) + " x width instructions.",
              "At multiples of 128 from 256 on, of width x width x width products: from global memory at "
              "most one sector of 32 bytes is loaded for 256, from shared memory warps load at most once for "
              "256, and they arrive at a barrier at most once for 12288.",
              "There is at most one bank conflict for 8 wavefronts of shared memory, and nothing lies in "
              "local memory.",
              "At other widths from 64 on, the next multiple of 128 is what counts: as many loads from "
              "shared memory for each product, four times the sectors, twice the arrivals and 64 more, twice "
              "the bank conflicts and 16 more."});

const bool explains = ExplainWith(coarsening::ExplainSquares);

const bool recognises = RecogniseWith([] {
  return Recognise({OfNumbers(AllEvidence()), Session().resources()});
});

const bool timed = TimeWith([](bool rehearsal) {
  return TimedSquareMatmuls(rehearsal,
                            [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p, int width) {
                              return worker.Call(m, n, p, width);
                            },
                            {2048, 4096});
});

}  // namespace
}  // namespace warplings::fast_matmul
