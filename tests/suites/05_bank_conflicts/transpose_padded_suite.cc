// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's transpose_padded: values at all kinds of shapes, then sectors and bank conflicts.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/suite/device_work.h"
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

class TransposePadded : public testing::Test {
 protected:
  static void Record(Transposition seen) {
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

TEST_F(TransposePadded, OneElement) {
  Check(say::transpose_one_element(1, 1), 1, 1);
}

TEST_F(TransposePadded, RowsBecomeColumns) {
  Check(say::transpose_row_to_column(3, 5), 3, 5, SmallIntegers);
}

TEST_F(TransposePadded, OneWholeTile) {
  Check(say::transpose_one_tile(32, 32), 32, 32);
}

TEST_F(TransposePadded, TilesChangePlaces) {
  Check(say::transpose_four_tiles(64, 64), 64, 64);
}

TEST_F(TransposePadded, TheEdgesOfXAndYDiffer) {
  Check(say::transpose_edges_differ(33, 31), 33, 31);
}

TEST_F(TransposePadded, LongAndThin) {
  Check(say::transpose_long_and_thin(130, 1), 130, 1);
}

TEST_F(TransposePadded, WideAndFlat) {
  Check(say::transpose_wide_and_flat(2, 97), 2, 97);
}

TEST_F(TransposePadded, AnyShape) {
  const auto [rows, columns] = RandomShape();
  Check(say::transpose_any_shape(say::transpose_shape(rows, columns)), rows, columns);
}

TEST_F(TransposePadded, LargeAndSmallValues) {
  Check(say::transpose_wide_values(40, 70, 4000), 40, 70, WideValues);
}

/// What is graded on counts has shapes that are not known beforehand, and the same kind of shape for each
/// count.
TEST_F(TransposePadded, BothSidesSeeRows) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(say::transpose_whole_sectors(say::transpose_shape(rows, columns)), rows,
                                     columns, SignedValues);
  GradeSectors(seen);
  Record(std::move(seen));
}

TEST_F(TransposePadded, NoLanesMeetInABank) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen =
      CallTranspose(say::no_bank_conflict(say::transpose_shape(rows, columns)), rows, columns, SignedValues);
  GradeConflicts(seen.result);
  Record(std::move(seen));
}

/// Lanes without an element take no part, so that partial tiles have no conflict either.
TEST_F(TransposePadded, NoLanesMeetAtTheEdges) {
  const auto [rows, columns] = RandomShape();
  Transposition seen = CallTranspose(say::transpose_no_conflict_at_edges(say::transpose_shape(rows, columns)),
                                     rows, columns, SignedValues);
  GradeConflicts(seen.result);
  Record(std::move(seen));
}

const bool graded =
    GradedBy({.shared = MoveGrading(),
              .header = {"Y is right for every shape.",
                         "Loads of X and stores of Y are coalesced: if rows and columns are multiples of 32, "
                         "loads fetch at most 1.5 x rows x columns / 8 sectors of 32 bytes, and stores write "
                         "at most that many.",
                         "No access to shared memory has a bank conflict."},
              .page = TranspositionSentences()});

const bool explains = ExplainWith([] { return ExplainTranspositions(AllEvidence()); });

const bool states_facts = StateFactsWith([] { return FactsOfPadded(AllEvidence()); });

const bool timed = TimeWith(TimedTranspositions);

}  // namespace
}  // namespace warplings::bank_conflicts
