// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 7's convolution. Each test is one call of the submission's function on fresh inputs; its
// name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "chapters/07_where_it_recurs/convolution.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/convolution.h"
#include "tests/suites/07_where_it_recurs/convolution_evidence.h"
#include "tests/suites/07_where_it_recurs/graded_calls.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/timed_convolution.h"

namespace warplings::convolution {
namespace {

using reference::MatrixShape;

constexpr std::size_t kWidth = 2 * kRadius + 1;

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that computes everything alone, at 600 instructions an element.
std::uint64_t Budget(const MatrixShape& shape) {
  return 1'000'000 + 600 * shape.Elements();
}

/// The products of a coefficient and an element that exists.
std::uint64_t Products(const MatrixShape& shape) {
  const auto along = [](std::size_t count) {
    std::uint64_t sum = count;
    for (std::size_t distance = 1; distance <= kRadius; ++distance)
      sum += 2 * (count - std::min(count, distance));
    return sum;
  };
  return along(shape.rows) * along(shape.columns);
}

Message DescribeElement(const MatrixShape& shape, std::size_t i) {
  return "output(" + std::to_string(i / shape.columns) + ", " + std::to_string(i % shape.columns) + ")";
}

struct Inputs {
  std::vector<float> input, filter;
  bool is_exact;
};

/// Sums of products of these are below 2^24, so that none rounds.
Inputs Integers(RandomValues& random, const MatrixShape& shape) {
  std::vector<float> input(shape.Elements());
  for (float& value : input) value = static_cast<float>(1 + random.Below(255));
  return {std::move(input), DistinctIntegers(random, kWidth * kWidth, 1), true};
}

class Convolution : public testing::Test {
 protected:
  static Evidence Call(const Message& title, const MatrixShape& shape, Inputs inputs) {
    const auto rows = static_cast<int>(shape.rows), columns = static_cast<int>(shape.columns);
    const CallReport report =
        Session().Call({InputArray("input", inputs.input, OtherElements::AnyValue()),
                        InputArray("filter", inputs.filter, OtherElements::AnyValue()),
                        OutputArray<float>("output", shape.Elements())},
                       Budget(shape), [=](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], p[2], rows, columns);
                       });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.shape = shape;
    evidence.input = std::move(inputs.input);
    evidence.filter = std::move(inputs.filter);
    evidence.is_exact = inputs.is_exact;
    const auto writers = std::ranges::find(report.writers, "output", &ArrayWriters::label);
    if (writers != report.writers.end()) {
      evidence.storing_threads = writers->threads;
      evidence.stored_after_host_read = writers->after_host_read > writers->after_shared_write;
    }
    if (report.contents.size() != 3) return evidence;
    evidence.output = ValuesOf<float>(report.contents[2]);
    Compare(evidence);
    RequireDeviceWork(evidence.result, report, WorkOf(shape));
    if (!IsLarge(shape)) return evidence;
    for (const auto& [limit, grade] : kLimits) {
      Evidence graded = evidence;
      grade(graded);
      BrokenLimits().Note(limit, evidence.result, graded.result, say::conv_call(shape.rows, shape.columns));
    }
    return evidence;
  }

  static void Compare(Evidence& evidence) {
    const MatrixShape& shape = evidence.shape;
    const reference::Bounded expected =
        reference::Convolution(evidence.input, evidence.filter, shape, kRadius);
    AddComparison(evidence.result,
                  CompareFloats(
                      evidence.output, expected.value, expected.bound,
                      [&](std::size_t i) { return DescribeElement(shape, i); }, shape.columns),
                  "output");
    TestResult& result = evidence.result;
    if (result.verdict != Verdict::kWrongResult || result.launches.empty()) return;
    std::uint64_t at_edges = 0;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < evidence.output.size(); ++i) {
      if (!IsWrong(evidence.output[i], expected.value[i], expected.bound[i])) continue;
      if (IsAtEdge(shape, i)) ++at_edges;
      if (!first) first = i;
    }
    if (first && std::min(shape.rows, shape.columns) < kWidth) {
      result.next_step = say::conv_wrong_small_step(DescribeElement(shape, *first));
      return;
    }
    result.next_step = say::conv_wrong_step(at_edges, result.wrong_count - at_edges);
  }

  /// One thread that computes everything needs 30 instructions an element at least. A block that goes through
  /// all tiles, each of its 256 threads with an element at a time, needs one or two.
  static DeviceWork WorkOf(const MatrixShape& shape) {
    DeviceWork work;
    work.output = "output";
    work.least_flops = Products(shape);
    work.least_bytes = shape.Elements() * sizeof(float);
    work.most_of_a_warp = 20'000 + 8 * shape.Elements();
    return work;
  }

  static void GradeBytes(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.shape).bytes;
    const std::uint64_t bytes = BytesFromGlobal(evidence.result);
    if (bytes <= limit) return;
    const std::uint64_t elements = evidence.shape.Elements();
    const auto per_element = [&](const std::string& label) {
      const std::uint64_t loaded = TrafficOf(evidence.result, label).load_bytes / sizeof(float);
      return say::Decimal(static_cast<double>(loaded) / static_cast<double>(elements), 1);
    };
    AddVerdict(evidence.result, Verdict::kWrongResult, say::conv_bytes(bytes, limit),
               UsesShared(evidence.result) ? say::conv_bytes_step(per_element("input"), per_element("filter"))
                                           : say::conv_no_tile_step());
  }

  static void GradeSectors(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.shape).sectors;
    const std::uint64_t sectors = SectorsLoaded(TotalCounts(evidence.result));
    if (sectors <= limit) return;
    AddVerdict(evidence.result, Verdict::kWrongResult, say::conv_sectors(sectors, limit),
               say::conv_sectors_step());
  }

  static void GradeIdle(Evidence& evidence) {
    if (evidence.shape.rows % kWholeTiles != 0 || evidence.shape.columns % kWholeTiles != 0) return;
    const std::uint64_t threads = Threads(evidence.result);
    const std::uint64_t idle = threads - std::min(threads, evidence.storing_threads);
    if (idle <= IdleThreads(threads)) return;
    AddVerdict(evidence.result, Verdict::kWrongResult,
               say::conv_idle_threads(idle, threads, IdleThreads(threads)), say::conv_idle_step());
  }

  struct Limit {
    const char* name;
    void (*grade)(Evidence&);
  };
  static constexpr Limit kBytes{"bytes", GradeBytes}, kSectors{"sectors", GradeSectors},
      kIdle{"idle", GradeIdle};
  static constexpr Limit kLimits[] = {kBytes, kSectors, kIdle};

  static void Check(const Message& title, const MatrixShape& shape) {
    RandomValues random = TestRandom();
    Record(Call(title, shape, Integers(random, shape)));
  }

  /// Grades a limit with a size that is known beforehand, and then with one that is not.
  static void CheckLimit(const Message& title, const Limit& limit, std::size_t step) {
    static GradedCalls<Evidence> calls;
    Evidence evidence = calls.Get(0, title, [](RandomValues& random) {
      const MatrixShape square{kLargeSide, kLargeSide};
      return Call("", square, Integers(random, square));
    });
    limit.grade(evidence);
    if (evidence.result.verdict == Verdict::kPassed) {
      Evidence other = calls.Get(step == 1 ? 1 : 2, "", [step](RandomValues& random) {
        const std::size_t steps = kWholeTiles / step;
        const MatrixShape shape{kLargeSide + step * random.Below(steps + 1),
                                kLargeSide + step * (1 + random.Below(steps + 1))};
        return Call("", shape, Integers(random, shape));
      });
      limit.grade(other);
      AddVerdict(evidence.result, other.result.verdict,
                 say::conv_at_size(other.shape.rows, other.shape.columns, other.result.reason),
                 other.result.next_step);
    }
    BrokenLimits().Tell(limit.name, evidence.result);
    Record(std::move(evidence));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(Convolution, OneElement) {
  Check(say::conv_one_element(), {1, 1});
}

TEST_F(Convolution, SmallerThanTheFilter) {
  Check(say::conv_few_elements(3, 4), {3, 4});
}

TEST_F(Convolution, OneRow) {
  Check(say::conv_one_row(100), {1, 100});
}

TEST_F(Convolution, OneColumn) {
  Check(say::conv_one_column(100), {100, 1});
}

TEST_F(Convolution, EqualSides) {
  Check(say::conv_square(40, 40), {40, 40});
}

TEST_F(Convolution, SidesDiffer) {
  Check(say::conv_sides_differ(37, 90), {37, 90});
}

TEST_F(Convolution, WholeTiles) {
  Check(say::conv_whole_tiles(64, 128), {64, 128});
}

TEST_F(Convolution, OneMoreThanTiles) {
  Check(say::conv_one_more(65, 33), {65, 33});
}

TEST_F(Convolution, OneFewerThanTiles) {
  Check(say::conv_one_fewer(31, 63), {31, 63});
}

TEST_F(Convolution, LongRows) {
  Check(say::conv_long_rows(3, 2000), {3, 2000});
}

TEST_F(Convolution, ManyShortRows) {
  Check(say::conv_short_rows(500, 7), {500, 7});
}

TEST_F(Convolution, AnySizeWithFractions) {
  RandomValues random = TestRandom();
  const MatrixShape shape{20 + random.Below(80), 20 + random.Below(150)};
  std::vector<float> input = SignedValues(random, shape.Elements());
  std::vector<float> filter = SignedValues(random, kWidth * kWidth);
  Record(Call(say::conv_any_size(shape.rows, shape.columns), shape,
              {std::move(input), std::move(filter), false}));
}

/// The limits and their derivation are at LimitsOf and IdleThreads.
TEST_F(Convolution, EachElementIsLoadedLittleMoreThanOnce) {
  CheckLimit(say::conv_few_bytes(kLargeSide, kLargeSide), kBytes, 1);
}

TEST_F(Convolution, WarpsLoadNeighbours) {
  CheckLimit(say::conv_few_sectors(kLargeSide, kLargeSide), kSectors, 1);
}

TEST_F(Convolution, MostThreadsCompute) {
  CheckLimit(say::conv_few_idle(kLargeSide, kLargeSide), kIdle, kWholeTiles);
}

std::string ForLargeInputs(const std::string& limit) {
  return "For a large input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header =
         {"output is right for every size and every filter. Floats may be added in any order.",
          ForLargeInputs("threads load at most 8 bytes (2 floats) per element from global memory, including "
                         "the filter if it is read from there."),
          ForLargeInputs("loads from global memory fetch at most 3 sectors of 32 bytes per 4 elements."),
          ForLargeInputs("at most a fifth of the threads store nothing in output. (Counted only if rows and "
                         "columns are multiples of 128.)")},
     .page = {"The kernels load each element of input at least once.",
              "The kernels do at least one operation for each product of a coefficient and an element that "
              "exists.",
              "No warp executes more than 20,000 + 8 x elements instructions.",
              "An atomic operation in global memory counts as a load.",
              "The limit on threads that store nothing covers only kernels that load from input."}});

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(TimedConvolutions);

}  // namespace
}  // namespace warplings::convolution
