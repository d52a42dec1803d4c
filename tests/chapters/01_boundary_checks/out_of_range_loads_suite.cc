// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 1's out_of_range_loads, a host function. Each test asks it for some pictures: what the
// threads of one block read in one phase.

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/suite/judge.h"
#include "tests/chapters/01_boundary_checks/load_pictures.h"

namespace warplings::load_pictures {
namespace {

/// All answers that came back, for Recognise.
std::vector<Answered>& AllAnswers() {
  static std::vector<Answered> all;
  return all;
}

/// Name of the first test with a wrong answer; empty: none.
std::string& FirstWrongTest() {
  static std::string name;
  return name;
}

const bool explains = ExplainWith([]() -> std::vector<Explained> {
  if (FirstWrongTest().empty()) return {};
  Explained explained;
  explained.test = FirstWrongTest();
  explained.advice = FactOfLoads(AllAnswers());
  explained.explanation.call = "all pictures";
  explained.explanation.facts = {explained.advice};
  return {explained};
});

const bool recognises = RecogniseWith([] { return Recognise(AllAnswers()); });

std::string Pair(int x, int y) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
}

/// "block (1, 1), phase 0: m[1][0]".
std::string Where(const Question& q, Matrix matrix, int tx, int ty) {
  return "block " + Pair(q.bx, q.by) + ", phase " + std::to_string(q.phase) + ": " +
         (matrix == Matrix::kM ? "m[" : "n[") + std::to_string(ty) + "][" + std::to_string(tx) + "]";
}

/// "loads M[3][0]: index 9 of 0 to 8".
std::string Note(const Question& q, Matrix matrix, int tx, int ty) {
  const auto [row, column] = PlaceOf(q, matrix, tx, ty);
  const std::int64_t width = q.width;
  return std::string("loads ") + (matrix == Matrix::kM ? "M[" : "N[") + std::to_string(row) + "][" +
         std::to_string(column) + "]: index " + std::to_string(row * width + column) + " of 0 to " +
         std::to_string(width * width - 1);
}

Comparison Compare(const Answered& answered) {
  const Question& q = answered.question;
  const Picture right = Draw(q);
  Comparison comparison;
  for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
    for (int ty = 0; ty < q.tile_width; ++ty) {
      for (int tx = 0; tx < q.tile_width; ++tx) {
        const auto y = static_cast<std::size_t>(ty), x = static_cast<std::size_t>(tx);
        const Load expected = right.Of(matrix)[y][x], actual = answered.answer.Of(matrix)[y][x];
        ++comparison.element_count;
        if (expected == actual) continue;
        if (comparison.wrong_count++ >= Comparison::kMaxListed) continue;
        comparison.wrong.push_back(
            {Where(q, matrix, tx, ty), NameOf(expected), NameOf(actual), Note(q, matrix, tx, ty)});
      }
    }
  }
  return comparison;
}

class OutOfRangeLoads : public testing::Test {
 protected:
  /// One test: these pictures.
  void Check(const std::string& title, const std::vector<Question>& questions) {
    TestResult result;
    result.title = title;
    result.verdict = Verdict::kPassed;
    for (const Question& question : questions) {
      const CallReport report = Ask(question);
      if (result.verdict == Verdict::kPassed && report.verdict != Verdict::kPassed) {
        result = ResultOf(title, report);
      }
      if (!picture_) break;
      AllAnswers().push_back({question, *picture_});
      Add(result, Compare(AllAnswers().back()));
    }
    Explain(result);
    RecordResult(std::move(result));
  }

 private:
  /// The call's report; what it returned is in picture_.
  CallReport Ask(const Question& q) {
    picture_.reset();
    return Session().Call({}, 0, [&](Worker& worker, std::span<const DevicePointer>) {
      CallOutcome outcome = worker.Call(q.width, q.tile_width, q.bx, q.by, q.phase);
      picture_ = outcome.ResultAs<Picture>();
      return outcome;
    });
  }

  static void Add(TestResult& result, const Comparison& comparison) {
    result.wrong_count += comparison.wrong_count;
    result.element_count += comparison.element_count;
    for (const WrongElement& wrong : comparison.wrong) {
      if (result.wrong.size() < Comparison::kMaxListed) result.wrong.push_back(wrong);
    }
  }

  static void Explain(TestResult& result) {
    if (result.wrong_count == 0) return;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (FirstWrongTest().empty())
      FirstWrongTest() = std::string(test->test_suite_name()) + "." + test->name();
    AddVerdict(result, Verdict::kWrongResult,
               std::to_string(result.wrong_count) + " of " + std::to_string(result.element_count) +
                   " loads are wrong, the first is that of " + result.wrong.front().where,
               "Draw the matrix and the tile of that block and phase, and find the cell of that thread.");
  }

  std::optional<Picture> picture_;
};

TEST_F(OutOfRangeLoads, LastPhaseReachesOverTheEdge) {
  Check("3 x 3, tile 2: block (0, 0) in phase 1, the book's first picture", {{3, 2, 0, 0, 1}});
}

TEST_F(OutOfRangeLoads, FirstPhaseAlreadyReadsOutside) {
  Check("3 x 3, tile 2: block (1, 1) in phase 0, the book's second picture", {{3, 2, 1, 1, 0}});
}

TEST_F(OutOfRangeLoads, BlocksBesideAndBelowAreNotAlike) {
  Check("3 x 3, tile 2: block (1, 0) has its tile to the right, block (0, 1) below",
        {{3, 2, 1, 0, 0}, {3, 2, 0, 1, 0}});
}

TEST_F(OutOfRangeLoads, EveryBlockInEveryPhase) {
  Check("5 x 5, tile 2: all nine blocks in all three phases", AllBlocksAndPhases(5, 2));
}

TEST_F(OutOfRangeLoads, WholeTilesReadNothingOutside) {
  Check("width 64, tile 32: no edge inside a tile", AllBlocksAndPhases(64, 32));
}

TEST_F(OutOfRangeLoads, TileIsWiderThanTheMatrix) {
  Check("width 5, tile 16: a row of the tile reaches over several rows of the matrix",
        AllBlocksAndPhases(5, 16));
}

TEST_F(OutOfRangeLoads, OneElement) {
  Check("width 1, tile 32: 1024 threads and one element", AllBlocksAndPhases(1, 32));
}

TEST_F(OutOfRangeLoads, OneMoreThanATile) {
  Check("width 17, tile 16: the last tiles hold one row or one column", AllBlocksAndPhases(17, 16));
}

TEST_F(OutOfRangeLoads, OneLessThanATile) {
  Check("width 31, tile 16: the last tiles lack one row or one column", AllBlocksAndPhases(31, 16));
}

TEST_F(OutOfRangeLoads, LargeMatrix) {
  Check("width 40000, tile 29: the corners of a large matrix",
        {{40'000, 29, 1379, 1379, 0}, {40'000, 29, 0, 1379, 1379}, {40'000, 29, 1379, 0, 700}});
}

TEST_F(OutOfRangeLoads, AnyWidthAndTile) {
  RandomValues random = TestRandom();
  const int tile = static_cast<int>(3 + random.Below(15));
  const int width = tile * static_cast<int>(1 + random.Below(3)) + static_cast<int>(1 + random.Below(2));
  Check("a random width and tile: " + std::to_string(width) + " and " + std::to_string(tile),
        AllBlocksAndPhases(width, tile));
}

}  // namespace
}  // namespace warplings::load_pictures
