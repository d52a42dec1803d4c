// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's transpose_padded: values at all kinds of shapes, then sectors and bank conflicts.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"
#include "tests/chapters/05_bank_conflicts/timed_shapes.h"
#include "tests/chapters/05_bank_conflicts/transpose_evidence.h"

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
  static void Check(const std::string& title, int rows, int columns, Fill fill = SignedValues) {
    Record(CallTranspose(title, rows, columns, fill));
  }
  static std::vector<float> SmallIntegers(RandomValues& random, std::size_t count) {
    return DistinctIntegers(random, count, 1);
  }
};

TEST_F(TransposePadded, OneElement) {
  Check("1 x 1: one thread of a block has work", 1, 1);
}

TEST_F(TransposePadded, RowsBecomeColumns) {
  Check("3 x 5 with small integers: a row becomes a column", 3, 5, SmallIntegers);
}

TEST_F(TransposePadded, OneWholeTile) {
  Check("32 x 32, exactly one tile", 32, 32);
}

TEST_F(TransposePadded, TilesChangePlaces) {
  Check("64 x 64: tiles away from the diagonal change places", 64, 64);
}

TEST_F(TransposePadded, TheEdgesOfXAndYDiffer) {
  Check("33 x 31: where X has an element, Y's tile may have none", 33, 31);
}

TEST_F(TransposePadded, LongAndThin) {
  Check("130 x 1: one column becomes one row", 130, 1);
}

TEST_F(TransposePadded, WideAndFlat) {
  Check("2 x 97: two rows become two columns", 2, 97);
}

TEST_F(TransposePadded, AnyShape) {
  const auto [rows, columns] = RandomShape();
  Check("a random shape: " + Text(rows, columns), rows, columns);
}

TEST_F(TransposePadded, LargeAndSmallValues) {
  Check("40 x 70, values from 0.0002 to 4000", 40, 70, WideValues);
}

/// What is graded on counts has shapes that are not known beforehand, and the same kind of shape for each
/// count.
TEST_F(TransposePadded, BothSidesSeeRows) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(Text(rows, columns) + ": X is read and Y is written in whole sectors",
                                     rows, columns, SignedValues);
  GradeSectors(seen);
  Record(std::move(seen));
}

TEST_F(TransposePadded, NoLanesMeetInABank) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(
      Text(rows, columns) + ": no request to shared memory has a bank conflict", rows, columns, SignedValues);
  GradeConflicts(seen.result);
  Record(std::move(seen));
}

/// Lanes without an element take no part, so that partial tiles have no conflict either.
TEST_F(TransposePadded, NoLanesMeetAtTheEdges) {
  const auto [rows, columns] = RandomShape();
  Transposition seen =
      CallTranspose(Text(rows, columns) + ": no bank conflict in partial tiles", rows, columns, SignedValues);
  GradeConflicts(seen.result);
  Record(std::move(seen));
}

const bool graded = GradedBy(
    GradedWork("Y", true),
    {"The kernel loads each element of X at least once; no thread stores more than 128 elements of Y, and no "
     "warp executes more than 11680 instructions.",
     "No load and no store of shared memory has a bank conflict, and shared memory sees no atomics.",
     "Warps ask shared memory at most once for each 8 elements, sides rounded up to multiples of 32.",
     "At most 2 x rows x (ceil(columns / 8) + ceil(columns / 32)) sectors of 32 bytes are read, and as many "
     "written with the sides interchanged.",
     "Where both sides are multiples of 32, at most 1.5 x rows x columns / 8 sectors are read, and as many "
     "written."});

const bool explains = ExplainWith([] { return ExplainTranspositions(AllEvidence()); });

const bool recognises = RecogniseWith([] { return RecognisePadded(AllEvidence()); });

const bool timed = TimeWith(TimedTranspositions);

}  // namespace
}  // namespace warplings::bank_conflicts
