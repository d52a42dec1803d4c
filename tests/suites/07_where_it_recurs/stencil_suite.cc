// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 7's stencil. Each test is one call of the submission's function on fresh inputs; its name
// says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "chapters/07_where_it_recurs/stencil.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/stencil.h"
#include "tests/suites/07_where_it_recurs/graded_calls.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/stencil_evidence.h"
#include "tests/suites/07_where_it_recurs/timed_stencil.h"

namespace warplings::stencil {
namespace {

using reference::Grid;

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that computes everything alone, at 160 instructions a point.
std::uint64_t Budget(const Grid& grid) {
  return 1'000'000 + 160 * grid.Points();
}

/// With the factors 1/4 and 1/8, no step of the formula rounds.
std::vector<float> Integers(RandomValues& random, const Grid& grid) {
  std::vector<float> input(grid.Points());
  for (float& value : input) value = static_cast<float>(1 + random.Below(255));
  return input;
}

class Stencil : public testing::Test {
 protected:
  static Evidence Call(const Message& title, const Grid& grid, std::vector<float> input, bool is_exact) {
    const auto width = static_cast<int>(grid.width), height = static_cast<int>(grid.height),
               depth = static_cast<int>(grid.depth);
    const CallReport report = Session().Call(
        {InputArray("input", input, OtherElements::AnyValue()), OutputArray<float>("output", grid.Points())},
        Budget(grid), [=](Worker& worker, std::span<const DevicePointer> p) {
          return worker.Call(p[0], p[1], width, height, depth);
        });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.grid = grid;
    evidence.input = std::move(input);
    evidence.is_exact = is_exact;
    const auto writers = std::ranges::find(report.writers, "output", &ArrayWriters::label);
    if (writers != report.writers.end()) evidence.storing_threads = writers->threads;
    if (report.contents.size() != 2) return evidence;
    evidence.output = ValuesOf<float>(report.contents[1]);
    Compare(evidence);
    RequireDeviceWork(evidence.result, report, WorkOf(grid));
    if (IsLarge(grid)) {
      const Message call = say::stencil_call(grid.width, grid.height, grid.depth);
      Evidence graded = evidence;
      GradeBytes(graded);
      BrokenLimits().Note("bytes", evidence.result, graded.result, call);
      graded = evidence;
      GradeSectors(graded);
      BrokenLimits().Note("sectors", evidence.result, graded.result, call);
    }
    return evidence;
  }

  /// Where nothing rounds, honest results are exact, too, as long as they are sums of the seven products.
  static void Compare(Evidence& evidence) {
    const reference::Bounded expected =
        reference::Stencil(evidence.input, evidence.grid, {kCentre, kNeighbour});
    AddComparison(evidence.result,
                  CompareFloats(evidence.output, expected.value, expected.bound,
                                [&](std::size_t i) { return DescribePoint(evidence.grid, i); }),
                  "output");
    TestResult& result = evidence.result;
    if (result.verdict != Verdict::kWrongResult || result.launches.empty()) return;
    const Grid& grid = evidence.grid;
    const auto is_on_face = [&](std::size_t i) {
      return grid.IsOnFace(i % grid.width, i / grid.width % grid.height, i / (grid.width * grid.height));
    };
    std::uint64_t on_faces = 0;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < evidence.output.size(); ++i) {
      if (!IsWrong(evidence.output[i], expected.value[i], expected.bound[i])) continue;
      if (is_on_face(i)) ++on_faces;
      if (!first) first = i;
    }
    const std::uint64_t inside = result.wrong_count - on_faces;
    if (on_faces == 0) {
      result.next_step = StepOfWrongInside(grid, inside, first.value_or(0));
    } else if (inside == 0) {
      result.next_step = say::stencil_wrong_on_faces(on_faces, DescribePoint(grid, *first));
    } else if (first && is_on_face(*first)) {
      result.next_step = say::stencil_wrong_face_step(on_faces, inside, DescribePoint(grid, *first));
    } else {
      result.next_step = say::stencil_wrong_step(on_faces, inside);
    }
  }

  /// One thread that computes everything needs 8 instructions a point at least. A block that walks through
  /// all planes, each of its threads with a few points of each plane, needs some hundred for each plane.
  static DeviceWork WorkOf(const Grid& grid) {
    DeviceWork work;
    work.output = "output";
    work.least_bytes = grid.Points() * sizeof(float);
    work.most_of_a_warp = 20'000 + 1000 * grid.depth + 2 * grid.Points();
    return work;
  }

  static double LoadsOfAPoint(const Evidence& evidence) {
    return static_cast<double>(TotalCounts(evidence.result).global_load_bytes) / sizeof(float) /
           static_cast<double>(evidence.grid.Points());
  }

  static void GradeBytes(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.grid).bytes;
    const std::uint64_t bytes = TotalCounts(evidence.result).global_load_bytes;
    if (bytes <= limit) return;
    AddVerdict(evidence.result, Verdict::kWrongResult, say::stencil_bytes(bytes, limit),
               UsesShared(evidence.result) ? say::stencil_bytes_step(say::Decimal(LoadsOfAPoint(evidence), 1))
                                           : say::stencil_no_tile_step());
  }

  static void GradeSectors(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.grid).sectors;
    const Counts counts = TotalCounts(evidence.result);
    if (counts.global_load_sectors <= limit) return;
    AddVerdict(evidence.result, Verdict::kWrongResult,
               say::stencil_sectors(counts.global_load_sectors, limit), say::stencil_sectors_step());
  }

  static void Check(const Message& title, const Grid& grid) {
    RandomValues random = TestRandom();
    Record(Call(title, grid, Integers(random, grid), true));
  }

  /// Grades a limit with a size that is known beforehand, and then with one that is not.
  static void CheckLimit(const Message& title, const std::string& limit, void (*grade)(Evidence&)) {
    static GradedCalls<Evidence> calls;
    Evidence evidence = calls.Get(0, title, [](RandomValues& random) {
      const Grid cube{kLargeSide, kLargeSide, kLargeSide};
      return Call("", cube, Integers(random, cube), true);
    });
    grade(evidence);
    if (evidence.result.verdict == Verdict::kPassed) {
      Evidence other = calls.Get(1, "", [](RandomValues& random) {
        const Grid grid{kLargeSide + 1 + random.Below(30), kLargeSide + random.Below(20),
                        kLargeSide + random.Below(20)};
        return Call("", grid, Integers(random, grid), true);
      });
      grade(other);
      const Grid& grid = other.grid;
      AddVerdict(evidence.result, other.result.verdict,
                 say::stencil_at_size(grid.width, grid.height, grid.depth, other.result.reason),
                 other.result.next_step);
    }
    BrokenLimits().Tell(limit, evidence.result);
    Record(std::move(evidence));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(Stencil, OnePoint) {
  Check(say::stencil_one_point(), {1, 1, 1});
}

TEST_F(Stencil, OneInnerPoint) {
  Check(say::stencil_one_inner(), {3, 3, 3});
}

TEST_F(Stencil, OnlyFaces) {
  Check(say::stencil_no_inner(), {5, 4, 2});
}

TEST_F(Stencil, OneRow) {
  Check(say::stencil_one_row(100), {100, 1, 1});
}

TEST_F(Stencil, EqualSides) {
  Check(say::stencil_cube(20, 20, 20), {20, 20, 20});
}

/// The last tile of 32 x 8 points has 6 columns and 2 rows: threads that are not there cannot load its frame.
TEST_F(Stencil, SidesDiffer) {
  Check(say::stencil_all_differ(38, 26, 17), {38, 26, 17});
}

TEST_F(Stencil, WholeTiles) {
  Check(say::stencil_whole_tiles(64, 32, 32), {64, 32, 32});
}

TEST_F(Stencil, OnePointMoreThanATile) {
  Check(say::stencil_one_more(33, 33, 33), {33, 33, 33});
}

TEST_F(Stencil, OnePointFewerThanATile) {
  Check(say::stencil_one_fewer(31, 31, 31), {31, 31, 31});
}

TEST_F(Stencil, LongRows) {
  Check(say::stencil_wide(1000, 4, 3), {1000, 4, 3});
}

TEST_F(Stencil, ManyShortRows) {
  Check(say::stencil_high(3, 1000, 4), {3, 1000, 4});
}

TEST_F(Stencil, ManyPlanes) {
  Check(say::stencil_deep(4, 3, 1024), {4, 3, 1024});
}

TEST_F(Stencil, AnySizeWithFractions) {
  RandomValues random = TestRandom();
  const Grid grid{20 + random.Below(60), 10 + random.Below(30), 5 + random.Below(40)};
  Record(Call(say::stencil_any_size(grid.width, grid.height, grid.depth), grid,
              SignedValues(random, grid.Points()), false));
}

/// The limits and their derivation are at LimitsOf.
TEST_F(Stencil, EachElementIsLoadedLittleMoreThanOnce) {
  CheckLimit(say::stencil_few_bytes(kLargeSide, kLargeSide, kLargeSide), "bytes", GradeBytes);
}

TEST_F(Stencil, WarpsLoadNeighbours) {
  CheckLimit(say::stencil_few_sectors(kLargeSide, kLargeSide, kLargeSide), "sectors", GradeSectors);
}

std::string ForLargeInputs(const std::string& limit) {
  return "For a large input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"output is right for every width, height and depth. Floats may be added in any order.",
                ForLargeInputs("threads load at most 6 bytes per point from global memory: 1.5 floats."),
                ForLargeInputs("loads from global memory fetch at most 3 sectors of 32 bytes per 4 points.")},
     .page = {"A point on a face keeps its input value exactly.",
              "The kernels load each element at least once.",
              "No warp executes more than 20,000 + 1000 x depth + 2 x points instructions."}});

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(TimedStencils);

}  // namespace
}  // namespace warplings::stencil
