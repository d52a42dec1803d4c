// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's fast_matmul: results at widths that fit no tile, and the counts that make a kernel fast.
// Each test's name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/06_coarsening/fast_matmul_evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/timed_matmul.h"

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

class FastMatmul : public coarsening::SquareMatmulTest {
 protected:
  /// From width 64 on, where a block's tile is not mostly empty: what the counted width allows, at the next
  /// multiple of 128, which is what blocks of the largest usual tiles compute. Of rows that do not begin at a
  /// sector narrow tiles touch twice as many, and some designs load those without vectors: four times.
  static void Check(const Message& title, int width, FillFunction fill = SignedValues) {
    MatmulEvidence evidence = CallSquareMatmul(title, width, SquareInputs(width, fill));
    const Counts counts = TotalCounts(evidence.result);
    const Limits limits = LimitsOf((width + 127) / 128 * 128);
    const auto note = [&](const char* limit, std::uint64_t count, std::uint64_t most, const Message& what) {
      TestResult graded = evidence.result;
      if (width >= 64 && count > most) {
        AddVerdict(graded, Verdict::kWrongResult, say::fast_matmul_limit(count, what, most),
                   say::fast_matmul_other_width_step(CountedWidth(), width, what));
      }
      BrokenLimits().Note(limit, evidence.result, graded, say::width(width));
    };
    note("sectors", SectorsLoaded(counts), 4 * limits.sectors, say::fast_matmul_sectors());
    note("shared", counts.shared_load_requests, limits.shared_requests, say::fast_matmul_shared_loads());
    note("conflicts", Conflicts(counts), PartialConflictLimit(counts), say::fast_matmul_bank_conflicts());
    note("barriers", counts.barriers, 2 * limits.barriers + 64, say::coarse_barrier_arrivals());
    Record(std::move(evidence));
  }
};

TEST_F(FastMatmul, OneElement) {
  Check(say::fast_matmul_one_element(1), 1);
}

TEST_F(FastMatmul, RowsOfThreeAreNotAligned) {
  Check(say::fast_matmul_rows_of_three(3), 3);
}

TEST_F(FastMatmul, OneVectorARow) {
  Check(say::fast_matmul_one_vector(4), 4);
}

TEST_F(FastMatmul, AlignedAndPartial) {
  Check(say::fast_matmul_aligned(36), 36);
}

TEST_F(FastMatmul, NotAlignedAndPartial) {
  Check(say::fast_matmul_prime(67), 67);
}

TEST_F(FastMatmul, WidthJustBelowATile) {
  Check(say::fast_matmul_below_a_tile(127), 127);
}

TEST_F(FastMatmul, SecondTileHasOneRow) {
  Check(say::fast_matmul_second_tile(129), 129);
}

TEST_F(FastMatmul, AnyWidth) {
  RandomValues random(SeedOfTest(Session().seed(), "FastMatmul.AnyWidth.width"));
  const int width = 5 + static_cast<int>(random.Below(140));
  Check(say::square_any_width(width), width);
}

TEST_F(FastMatmul, AnInfinityStaysInItsRow) {
  CheckInfinity();
}

TEST_F(FastMatmul, LargeAndSmallValues) {
  Check(say::square_wide_values(70, 4000), 70, WideValues);
}

// --- Counts: one call, a test for each. The limits and their derivation are at LimitsOf. -------------------

/// The call at CountedWidth(), made by the first of the tests below that runs.
const MatmulEvidence& Counted() {
  static const MatmulEvidence evidence = [] {
    MatmulEvidence called =
        CallSquareMatmul(say::width(CountedWidth()), CountedWidth(), SquareInputs(CountedWidth()));
    AllEvidence().push_back(called);
    return called;
  }();
  return evidence;
}

/// A count of the call against its limit. A wrong or failed call fails each of these tests as itself.
void RecordCount(const Message& title, const char* broken, std::uint64_t count, std::uint64_t limit,
                 const Message& what, const Message& next_step) {
  TestResult result = Counted().result;
  result.title = title;
  RequireKnownResources(result, Session().resources());
  if (count > limit) {
    AddVerdict(result, Verdict::kWrongResult, say::fast_matmul_limit(count, what, limit), next_step);
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
  RecordCount(say::fast_matmul_operands(CountedWidth()), "shared",
              TotalCounts(Counted().result).shared_load_requests, LimitsOf(CountedWidth()).shared_requests,
              say::fast_matmul_shared_loads(), say::fast_matmul_operands_step());
}

/// About the line that conflicts most.
Message FirstWordsToWriteDown() {
  const Counts counts = TotalCounts(Counted().result);
  const bool of_loads = counts.shared_load_conflicts >= counts.shared_store_conflicts;
  const LineCounts* line = BusiestLine(
      Counted().result, of_loads ? &Counts::shared_load_conflicts : &Counts::shared_store_conflicts);
  if (line == nullptr) return of_loads ? say::fast_matmul_first_word() : say::fast_matmul_first_stored_word();
  return of_loads ? say::fast_matmul_first_word_in(line->where.line)
                  : say::fast_matmul_first_stored_word_in(line->where.line);
}

TEST_F(FastMatmul, BanksDoNotConflict) {
  const Counts counts = TotalCounts(Counted().result);
  RecordCount(say::fast_matmul_banks(CountedWidth()), "conflicts", Conflicts(counts), ConflictLimit(counts),
              say::fast_matmul_bank_conflicts(),
              say::both(FirstWordsToWriteDown(), say::fast_matmul_vectors_step()));
}

TEST_F(FastMatmul, ATileServesManyElements) {
  const Counts counts = TotalCounts(Counted().result);
  const std::uint64_t limit = LimitsOf(CountedWidth()).sectors;
  const Message waste = BytesLoaded(counts) <= 32 * limit ? WasteOfLoads(Counted().result) : "";
  RecordCount(say::fast_matmul_tile(CountedWidth()), "sectors", SectorsLoaded(counts), limit,
              say::fast_matmul_sectors(),
              waste.empty() ? say::fast_matmul_tile_step() : say::fast_matmul_waste_step(waste));
}

TEST_F(FastMatmul, OneBarrierAPhaseIsEnough) {
  const TestResult& result = Counted().result;
  const LineCounts* line = BusiestLine(result, &Counts::barriers);
  RecordCount(say::fast_matmul_barrier(CountedWidth()), "barriers", TotalCounts(result).barriers,
              LimitsOf(CountedWidth()).barriers, say::coarse_barrier_arrivals(),
              line != nullptr && BarrierLines(Counted()) == 1
                  ? say::fast_matmul_one_barrier_step(ArrivalsOfAWarp(Counted()), line->where.line)
                  : say::fast_matmul_barriers_step());
}

TEST_F(FastMatmul, SumsStayInRegisters) {
  static_cast<void>(Counted());  // the resources are known once something has run
  std::uint64_t bytes = 0;
  for (const KernelResources& kernel : Session().resources()) {
    bytes = std::max<std::uint64_t>(bytes, kernel.local_bytes);
  }
  RecordCount(say::fast_matmul_registers(), "local", bytes, 0, say::fast_matmul_local_bytes(),
              say::both(say::fast_matmul_registers_step(), say::fast_matmul_registers_question()));
}

std::string AtCountedWidths(const std::string& limit) {
  return "If width is a multiple of 128 and at least 256 (other widths: see chapters/grading.md): " + limit;
}

std::string AtOtherWidths(const std::string& limit) {
  return "At all other widths from 64 on: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"P is right at every width.", InfinitySentence(),
                "No kernel uses local memory, at any width.",
                AtCountedWidths("warps execute at most width^3 / 256 loads from shared memory."),
                AtCountedWidths(
                    "there is at most one bank conflict per 8 wavefronts. (A wavefront moves up to 32 "
                    "words to or from shared memory at once.)"),
                AtCountedWidths("global loads fetch at most width^3 / 256 sectors of 32 bytes."),
                AtCountedWidths("warps arrive at barriers at most width^3 / 12288 times.")},
     .page = Together({WorkSentences("M", "width x width x width", "width", kMostElementsOfACoarseThread),
                       {"Only kernels of your file are launched.",
                        AtOtherWidths("warps execute at most w x w x w / 256 loads from shared memory."),
                        AtOtherWidths("there are at most 16 bank conflicts, plus one per 4 wavefronts."),
                        AtOtherWidths("global loads fetch at most w x w x w / 64 sectors."),
                        AtOtherWidths("warps arrive at barriers at most w x w x w / 6144 + 64 times.")}})});

const bool explains = ExplainWith(coarsening::ExplainSquares);

const bool states_facts = StateFactsWith([] {
  return FactsOf({OfNumbers(AllEvidence()), Session().resources()});
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
