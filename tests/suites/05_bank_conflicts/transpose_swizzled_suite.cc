// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's transpose_swizzled: as transpose_padded, and within the bytes of one tile.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/05_bank_conflicts/timed_shapes.h"
#include "tests/suites/05_bank_conflicts/transpose_evidence.h"

namespace warplings::bank_conflicts {
namespace {

std::vector<Transposition>& AllEvidence() {
  static std::vector<Transposition> all;
  return all;
}

/// An array beside the tile costs accesses, too: without a conflict, its bytes are named first.
void GradeConflictsAndBytes(TestResult& result) {
  const Counts counts = TotalCounts(result);
  const bool any_conflict = counts.shared_load_conflicts + counts.shared_store_conflicts > 0;
  if (!any_conflict) GradeSharedBytes(result);
  GradeConflicts(result);
  if (any_conflict) GradeSharedBytes(result);
}

class TransposeSwizzled : public testing::Test {
 protected:
  static void Record(Transposition seen) {
    TestResult graded = seen.result;
    GradeSharedBytes(graded);
    BrokenLimits().Note("shared bytes", seen.result, graded, say::transpose_call(seen.rows, seen.columns));
    RecordResult(seen.result);
    AllEvidence().push_back(std::move(seen));
  }
  static void Check(const Message& title, int rows, int columns, Fill fill = SignedValues) {
    Record(CallTranspose(title, rows, columns, fill));
  }
  static std::vector<float> SmallIntegers(RandomValues& random, std::size_t count) {
    return DistinctIntegers(random, count, 1);
  }
};

TEST_F(TransposeSwizzled, OneElement) {
  Check(say::transpose_one_element(1, 1), 1, 1);
}

TEST_F(TransposeSwizzled, RowsBecomeColumns) {
  Check(say::transpose_row_to_column(3, 5), 3, 5, SmallIntegers);
}

TEST_F(TransposeSwizzled, OneWholeTile) {
  Check(say::transpose_one_tile(32, 32), 32, 32);
}

TEST_F(TransposeSwizzled, TilesChangePlaces) {
  Check(say::transpose_four_tiles(64, 64), 64, 64);
}

TEST_F(TransposeSwizzled, TheEdgesOfXAndYDiffer) {
  Check(say::transpose_edges_differ(33, 31), 33, 31);
}

TEST_F(TransposeSwizzled, LongAndThin) {
  Check(say::transpose_long_and_thin(130, 1), 130, 1);
}

TEST_F(TransposeSwizzled, WideAndFlat) {
  Check(say::transpose_wide_and_flat(2, 97), 2, 97);
}

TEST_F(TransposeSwizzled, AnyShape) {
  const auto [rows, columns] = RandomShape();
  Check(say::transpose_any_shape(say::transpose_shape(rows, columns)), rows, columns);
}

TEST_F(TransposeSwizzled, LargeAndSmallValues) {
  Check(say::transpose_wide_values(40, 70, 4000), 40, 70, WideValues);
}

/// What is graded on counts has shapes that are not known beforehand, and the same kind of shape for each
/// count.
TEST_F(TransposeSwizzled, BothSidesSeeRows) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(say::transpose_whole_sectors(say::transpose_shape(rows, columns)), rows,
                                     columns, SignedValues);
  GradeSectors(seen);
  Record(std::move(seen));
}

TEST_F(TransposeSwizzled, NoLanesMeetInABank) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen =
      CallTranspose(say::no_bank_conflict(say::transpose_shape(rows, columns)), rows, columns, SignedValues);
  GradeConflictsAndBytes(seen.result);
  Record(std::move(seen));
}

/// Lanes without an element take no part, so that partial tiles have no conflict either.
TEST_F(TransposeSwizzled, NoLanesMeetAtTheEdges) {
  const auto [rows, columns] = RandomShape();
  Transposition seen = CallTranspose(say::transpose_no_conflict_at_edges(say::transpose_shape(rows, columns)),
                                     rows, columns, SignedValues);
  GradeConflictsAndBytes(seen.result);
  Record(std::move(seen));
}

TEST_F(TransposeSwizzled, NoByteBeyondTheTile) {
  const auto [rows, columns] = RandomShape();
  Transposition seen =
      CallTranspose(say::transpose_no_more_bytes(say::transpose_shape(rows, columns), kTileBytes), rows,
                    columns, SignedValues);
  GradeSharedBytes(seen.result);
  BrokenLimits().Tell("shared bytes", seen.result);
  Record(std::move(seen));
}

const bool graded =
    GradedBy({.shared = MoveGrading(),
              .header = {"Y is right for every shape.",
                         "Loads of X and stores of Y are coalesced: if rows and columns are multiples of 32, "
                         "loads fetch at most 1.5 x rows x columns / 8 sectors of 32 bytes, and stores write "
                         "at most that many.",
                         "No access to shared memory has a bank conflict.",
                         "A block uses at most " + std::to_string(kTileBytes) +
                             " bytes of shared memory: a tile of 32 x 32 floats, and no padding."},
              .page = TranspositionSentences()});

const bool explains = ExplainWith([] { return ExplainTranspositions(AllEvidence()); });

const bool states_facts = StateFactsWith([] { return FactsOfSwizzled(AllEvidence()); });

const bool timed = TimeWith(TimedTranspositions);

}  // namespace
}  // namespace warplings::bank_conflicts
