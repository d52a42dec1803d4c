// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's transpose_swizzled: as transpose_padded, and within the bytes of one tile.

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

class TransposeSwizzled : public testing::Test {
 protected:
  static void Record(Transposition seen) {
    TestResult graded = seen.result;
    GradeSharedBytes(graded);
    BrokenLimits().Note("shared bytes", seen.result, graded);
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

TEST_F(TransposeSwizzled, OneElement) {
  Check("1 x 1: one thread of a block has work", 1, 1);
}

TEST_F(TransposeSwizzled, RowsBecomeColumns) {
  Check("3 x 5 with small integers: a row becomes a column", 3, 5, SmallIntegers);
}

TEST_F(TransposeSwizzled, OneWholeTile) {
  Check("32 x 32, exactly one tile", 32, 32);
}

TEST_F(TransposeSwizzled, TilesChangePlaces) {
  Check("64 x 64: tiles away from the diagonal change places", 64, 64);
}

TEST_F(TransposeSwizzled, TheEdgesOfXAndYDiffer) {
  Check("33 x 31: where X has an element, Y's tile may have none", 33, 31);
}

TEST_F(TransposeSwizzled, LongAndThin) {
  Check("130 x 1: one column becomes one row", 130, 1);
}

TEST_F(TransposeSwizzled, WideAndFlat) {
  Check("2 x 97: two rows become two columns", 2, 97);
}

TEST_F(TransposeSwizzled, AnyShape) {
  const auto [rows, columns] = RandomShape();
  Check("a random shape: " + Text(rows, columns), rows, columns);
}

TEST_F(TransposeSwizzled, LargeAndSmallValues) {
  Check("40 x 70, values from 0.0002 to 4000", 40, 70, WideValues);
}

/// What is graded on counts has shapes that are not known beforehand, and the same kind of shape for each
/// count.
TEST_F(TransposeSwizzled, BothSidesSeeRows) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(Text(rows, columns) + ": X is read and Y is written in whole sectors",
                                     rows, columns, SignedValues);
  GradeSectors(seen);
  Record(std::move(seen));
}

TEST_F(TransposeSwizzled, NoLanesMeetInABank) {
  const auto [rows, columns] = RandomWholeShape();
  Transposition seen = CallTranspose(
      Text(rows, columns) + ": no request to shared memory has a bank conflict", rows, columns, SignedValues);
  GradeConflicts(seen.result);
  GradeSharedBytes(seen.result);
  Record(std::move(seen));
}

/// Lanes without an element take no part, so that partial tiles have no conflict either.
TEST_F(TransposeSwizzled, NoLanesMeetAtTheEdges) {
  const auto [rows, columns] = RandomShape();
  Transposition seen =
      CallTranspose(Text(rows, columns) + ": no bank conflict in partial tiles", rows, columns, SignedValues);
  GradeConflicts(seen.result);
  GradeSharedBytes(seen.result);
  Record(std::move(seen));
}

TEST_F(TransposeSwizzled, NoByteBeyondTheTile) {
  const auto [rows, columns] = RandomShape();
  Transposition seen = CallTranspose(
      Text(rows, columns) + ": a block uses no more than the tile's 4096 bytes", rows, columns, SignedValues);
  GradeSharedBytes(seen.result);
  BrokenLimits().Tell("shared bytes", seen.result);
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
     "written.",
     "A block uses at most 4096 bytes of shared memory, a tile of 32 x 32 floats without any padding."});

const bool explains = ExplainWith([] { return ExplainTranspositions(AllEvidence()); });

const bool recognises = RecogniseWith([] { return RecogniseSwizzled(AllEvidence()); });

const bool timed = TimeWith(TimedTranspositions);

}  // namespace
}  // namespace warplings::bank_conflicts
