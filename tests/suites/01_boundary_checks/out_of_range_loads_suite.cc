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

#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"
#include "tests/suites/01_boundary_checks/load_pictures.h"
#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/wrong_tests.h"

namespace warplings::load_pictures {
namespace {

/// All answers that came back, for FactsOf.
std::vector<Answered>& AllAnswers() {
  static std::vector<Answered> all;
  return all;
}

/// Name of the first test with a wrong answer; empty: none.
std::string& FirstWrongTest() {
  static std::string name;
  return name;
}

const bool graded = GradedBy({.shared = HostGrading(),
                              .header = {"m[ty][tx] and n[ty][tx] are right for all tx and ty below "
                                         "tile_width; other entries do not count."},
                              .page = {}});

const bool explains = ExplainWith([]() -> std::vector<Explained> {
  if (FirstWrongTest().empty()) return {};
  Explained explained;
  explained.test = FirstWrongTest();
  explained.advice = FactOfLoads(AllAnswers());
  explained.explanation.call = say::all_pictures();
  explained.explanation.facts = {explained.advice};
  return {explained};
});

const bool states_facts = StateFactsWith([] { return FactsOf(AllAnswers()); });

/// "block (1, 1), phase 0: m[1][0]".
Message Where(const Question& q, Matrix matrix, int tx, int ty) {
  const std::string cell =
      (matrix == Matrix::kM ? "m[" : "n[") + std::to_string(ty) + "][" + std::to_string(tx) + "]";
  return say::pictures_cell(PairOf(q.bx, q.by), q.phase, cell);
}

/// "loads M[3][0]: index 9 of 0 to 8".
Message Note(const Question& q, Matrix matrix, int tx, int ty) {
  const Place place = PlaceOf(q, matrix, tx, ty);
  const std::int64_t width = q.width;
  return say::pictures_loads(NameOf(matrix, place), place.row * width + place.column, width * width - 1);
}

/// `first_wrong`: set to the first wrong load unless there was one before.
Comparison Compare(const Answered& answered, Message& first_wrong) {
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
        const Message where = Where(q, matrix, tx, ty);
        if (first_wrong.empty()) first_wrong = where;
        if (comparison.wrong_count++ >= Comparison::kMaxListed) continue;
        comparison.wrong.push_back({where, NameOf(expected), NameOf(actual), Note(q, matrix, tx, ty)});
      }
    }
  }
  return comparison;
}

class OutOfRangeLoads : public testing::Test {
 protected:
  /// One test: these pictures.
  void Check(const Message& title, const std::vector<Question>& questions) {
    TestResult result;
    result.title = title;
    result.verdict = Verdict::kPassed;
    for (const Question& question : questions) {
      const CallReport report = Ask(question);
      if (result.verdict == Verdict::kPassed && report.verdict != Verdict::kPassed) {
        result = ResultOf(title, report);
      } else {
        result.launches.insert(result.launches.end(), report.launches.begin(), report.launches.end());
      }
      if (!picture_) break;
      AllAnswers().push_back({question, *picture_, FullNameOfRunningTest()});
      Add(result, Compare(AllAnswers().back(), first_wrong_));
    }
    Explain(result);
    RequireNoLaunch(result);
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

  void Explain(TestResult& result) const {
    if (result.wrong_count == 0) return;
    if (FirstWrongTest().empty()) FirstWrongTest() = FullNameOfRunningTest();
    AddVerdict(result, Verdict::kWrongResult,
               say::pictures_wrong(result.wrong_count, result.element_count, first_wrong_),
               say::pictures_draw_them());
  }

  std::optional<Picture> picture_;
  Message first_wrong_;
};

TEST_F(OutOfRangeLoads, LastPhaseReachesOverTheEdge) {
  Check(say::pictures_books_first(), {{3, 2, 0, 0, 1}});
}

TEST_F(OutOfRangeLoads, FirstPhaseAlreadyReadsOutside) {
  Check(say::pictures_books_second(), {{3, 2, 1, 1, 0}});
}

TEST_F(OutOfRangeLoads, BlocksBesideAndBelowAreNotAlike) {
  Check(say::pictures_beside_and_below(), {{3, 2, 1, 0, 0}, {3, 2, 0, 1, 0}});
}

TEST_F(OutOfRangeLoads, EveryBlockInEveryPhase) {
  Check(say::pictures_every_block_and_phase(), AllBlocksAndPhases(5, 2));
}

TEST_F(OutOfRangeLoads, WholeTilesReadNothingOutside) {
  Check(say::pictures_whole_tiles(), AllBlocksAndPhases(64, 32));
}

TEST_F(OutOfRangeLoads, TileIsWiderThanTheMatrix) {
  Check(say::pictures_wide_tile(), AllBlocksAndPhases(5, 16));
}

TEST_F(OutOfRangeLoads, OneElement) {
  Check(say::pictures_one_element(1024), AllBlocksAndPhases(1, 32));
}

TEST_F(OutOfRangeLoads, OneMoreThanATile) {
  Check(say::pictures_one_more_than_a_tile(), AllBlocksAndPhases(17, 16));
}

TEST_F(OutOfRangeLoads, OneLessThanATile) {
  Check(say::pictures_one_less_than_a_tile(), AllBlocksAndPhases(31, 16));
}

TEST_F(OutOfRangeLoads, LargeMatrix) {
  Check(say::pictures_large_matrix(40'000, 29),
        {{40'000, 29, 1379, 1379, 0}, {40'000, 29, 0, 1379, 1379}, {40'000, 29, 1379, 0, 700}});
}

TEST_F(OutOfRangeLoads, AnyWidthAndTile) {
  RandomValues random = TestRandom();
  const int tile = static_cast<int>(3 + random.Below(15));
  const int width = tile * static_cast<int>(1 + random.Below(3)) + static_cast<int>(1 + random.Below(2));
  Check(say::pictures_any_width_and_tile(width, tile), AllBlocksAndPhases(width, tile));
}

}  // namespace
}  // namespace warplings::load_pictures
