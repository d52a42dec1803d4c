// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 7's scan. Each test is one call of the submission's function on fresh inputs; its name says
// what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/scan.h"
#include "tests/suites/07_where_it_recurs/graded_calls.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/scan_evidence.h"
#include "tests/suites/07_where_it_recurs/timed_scan.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings::scan {
namespace {

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that adds everything up alone, at 64 instructions an element.
std::uint64_t Budget(std::size_t length) {
  return 1'000'000 + 64 * length;
}

/// -100 to 100 without 0: a sum that lacks an element is another one.
std::vector<int> SmallIntegers(RandomValues& random, std::size_t length) {
  std::vector<int> input(length);
  for (int& value : input) {
    const auto magnitude = static_cast<int>(1 + random.Below(100));
    value = random.Below(2) == 0 ? magnitude : -magnitude;
  }
  return input;
}

/// Their sums are from -2^30 to 2^30.
std::vector<int> LargeSums(RandomValues& random, std::size_t length) {
  std::vector<int> input(length);
  int sum = 0;
  for (int& value : input) {
    const int next = static_cast<int>(random.Next() >> 33) - (1 << 30);
    value = next - sum;
    sum = next;
  }
  return input;
}

/// The contract says it of every input.
Must<int> SumsFit() {
  return {"all sums fit into an int", [](std::span<const int> elements) -> std::optional<std::size_t> {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < elements.size(); ++i) {
              sum += elements[i];
              if (!std::in_range<int>(sum)) return i;
            }
            return std::nullopt;
          }};
}

class Scan : public testing::Test {
 protected:
  static Evidence Call(const Message& title, std::vector<int> input,
                       OtherElements other = OtherElements::EachAlone()) {
    const auto length = static_cast<int>(input.size());
    // Other elements' sums might not fit into an int.
    const CallReport report = Session().Call(
        {InputArray("input", input, std::move(other), {SumsFit()}), OutputArray<int>("output", input.size())},
        Budget(input.size()), [length](Worker& worker, std::span<const DevicePointer> p) {
          return worker.Call(p[0], p[1], length);
        });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    NameRacesPastFlags(evidence.result);
    evidence.input = std::move(input);
    if (evidence.input.empty() && HasFailed(evidence.result) && Returned(evidence.result))
      evidence.result.next_step = say::scan_nothing_launched_step();
    if (report.contents.size() != 2) return evidence;
    evidence.output = ValuesOf<int>(report.contents[1]);
    AddComparison(evidence.result,
                  CompareInts(evidence.output, reference::Scan(evidence.input),
                              [](std::size_t i) { return "output[" + std::to_string(i) + "]"; }),
                  "output");
    if (!evidence.input.empty()) RequireDeviceWork(evidence.result, report, WorkOf(evidence.input.size()));
    if (NeedsOrder(evidence.result, evidence.input.size())) {
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 say::scan_order(say::Count(evidence.result.launches.back().grid.Volume(), "block")),
                 say::scan_order_step());
    }
    if (evidence.input.size() < kLongLength) return evidence;
    for (const auto& [limit, grade] : kLimits) {
      TestResult graded = evidence.result;
      grade(graded, evidence.input.size());
      BrokenLimits().Note(limit, evidence.result, graded, say::call_of_elements(evidence.input.size()));
    }
    return evidence;
  }

  /// One thread that adds everything up needs 4 instructions an element at least. A warp that does so needs a
  /// thread's instructions for each 32nd element, and some for each step.
  static DeviceWork WorkOf(std::size_t length) {
    DeviceWork work;
    work.output = "output";
    work.least_bytes = length * sizeof(int);
    work.most_of_a_warp = 20'000 + 2 * length;
    return work;
  }

  static void GradeBarriers(TestResult& result, std::size_t length) {
    const std::uint64_t limit = LimitsOf(length).barriers, barriers = TotalCounts(result).barriers;
    if (barriers <= limit) return;
    AddVerdict(result, Verdict::kWrongResult, say::scan_barriers(barriers, limit),
               say::scan_barriers_step(Threads(result), length));
  }

  static void GradeInstructions(TestResult& result, std::size_t length) {
    const std::uint64_t limit = LimitsOf(length).instructions;
    const std::uint64_t instructions = TotalCounts(result).warp_instructions;
    if (instructions <= limit) return;
    AddVerdict(result, Verdict::kWrongResult, say::scan_instructions(instructions, limit),
               say::scan_instructions_step());
  }

  static void GradeSectors(TestResult& result, std::size_t length) {
    const std::uint64_t limit = LimitsOf(length).sectors, loaded = Loaded(result);
    const Counts counts = TotalCounts(result);
    if (SectorsLoaded(counts) > limit) {
      AddVerdict(
          result, Verdict::kWrongResult, say::scan_load_sectors(SectorsLoaded(counts), limit),
          loaded > 3 * length ? say::scan_loaded_again_step(loaded, length) : say::scan_sectors_step());
    } else if (SectorsStored(counts) > limit) {
      AddVerdict(result, Verdict::kWrongResult, say::scan_store_sectors(SectorsStored(counts), limit),
                 say::scan_sectors_step());
    }
  }

  struct Limit {
    const char* name;
    void (*grade)(TestResult&, std::size_t);
  };
  static constexpr Limit kBarriers{"barriers", GradeBarriers},
      kInstructions{"instructions", GradeInstructions}, kSectors{"sectors", GradeSectors};
  static constexpr Limit kLimits[] = {kBarriers, kInstructions, kSectors};

  static void Check(const Message& title, std::size_t length) {
    RandomValues random = TestRandom();
    Record(Call(title, SmallIntegers(random, length)));
  }

  /// Grades a limit at a length that is known beforehand, and then at one that is not.
  static void CheckLimit(const Message& title, const Limit& limit) {
    static GradedCalls<Evidence> calls;
    Evidence evidence = calls.Get(
        0, title, [](RandomValues& random) { return Call("", SmallIntegers(random, kLongLength)); });
    limit.grade(evidence.result, evidence.input.size());
    if (evidence.result.verdict == Verdict::kPassed) {
      Evidence other = calls.Get(1, "", [](RandomValues& random) {
        return Call("", SmallIntegers(random, kLongLength + 1 + random.Below(kLongLength / 4)));
      });
      limit.grade(other.result, other.input.size());
      AddVerdict(evidence.result, other.result.verdict,
                 say::scan_at_size(other.input.size(), other.result.reason), other.result.next_step);
    }
    BrokenLimits().Tell(limit.name, evidence.result);
    Record(std::move(evidence));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(Scan, NothingToAddUp) {
  Check(say::scan_of_nothing(), 0);
}

TEST_F(Scan, OneElement) {
  Check(say::scan_of_one(), 1);
}

TEST_F(Scan, LessThanAWarp) {
  Check(say::scan_below_warp(20), 20);
}

TEST_F(Scan, OneElementAThread) {
  Check(say::scan_one_block(256), 256);
}

TEST_F(Scan, OneElementMoreThanThreads) {
  Check(say::scan_one_more(257), 257);
}

TEST_F(Scan, LastElementOfATileIsMissing) {
  Check(say::scan_below_tile(2047), 2047);
}

TEST_F(Scan, NextTileHasOneElement) {
  Check(say::scan_next_tile(2049), 2049);
}

TEST_F(Scan, SeveralTiles) {
  Check(say::scan_several_tiles(40'009), 40'009);
}

TEST_F(Scan, AllElementsAreZero) {
  Record(Call(say::scan_zeros(30'000), std::vector<int>(30'000, 0)));
}

TEST_F(Scan, LargeSums) {
  RandomValues random = TestRandom();
  std::vector<int> input = LargeSums(random, 30'000);
  // Sums of these in any other order might not fit into an int.
  Record(
      Call(say::scan_large_sums(30'000), std::move(input), OtherElements::These(LargeSums(random, 30'000))));
}

TEST_F(Scan, AnySize) {
  RandomValues random = TestRandom();
  const std::size_t length = 3000 + random.Below(9000);
  Record(Call(say::scan_any_size(length), SmallIntegers(random, length)));
}

TEST_F(Scan, MoreTilesThanThreads) {
  Check(say::scan_many_tiles(4'200'013), 4'200'013);
}

/// The limits and their derivation are at LimitsOf.
TEST_F(Scan, WarpsSeldomWait) {
  CheckLimit(say::scan_few_barriers(kLongLength), kBarriers);
}

TEST_F(Scan, ElementsCostLittle) {
  CheckLimit(say::scan_little_work(kLongLength), kInstructions);
}

TEST_F(Scan, WarpsAccessNeighbours) {
  CheckLimit(say::scan_neighbours(kLongLength), kSectors);
}

std::string ForLongInputs(const std::string& limit) {
  return "For a long input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header =
         {"output is right for every length.",
          ForLongInputs("warps arrive at barriers at most length / 8 times."),
          ForLongInputs("warps execute at most 3.5 x length instructions."),
          ForLongInputs("loads from global memory fetch at most 20 sectors of 32 bytes per 32 elements."),
          ForLongInputs("stores to global memory write at most 20 sectors of 32 bytes per 32 elements.")},
     .page = {"The kernels load each element at least once.",
              "No warp executes more than 20,000 + 2 x length instructions.",
              "An atomic operation in global memory counts as a load and a store.",
              "The blocks of a launch run in any order. So a single atomicAdd, without waiting, does not "
              "tell a block the sum of the tiles before its own."}});

LinearProbe ProbeOf(std::size_t length) {
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  LinearProbe probe;
  probe.contract = {say::scan_call(length), "input", "output", length, place, place, [](std::size_t element) {
                      std::vector<ElementIndex> up_to(element + 1);
                      for (std::size_t i = 0; i <= element; ++i) up_to[i] = static_cast<ElementIndex>(i);
                      return up_to;
                    }};
  probe.output_count = length;
  probe.is_of_integers = true;
  probe.entry = [length](Worker& worker, DevicePointer input, DevicePointer output,
                         std::span<const DevicePointer> /*kept*/) {
    return worker.Call(input, output, static_cast<int>(length));
  };
  return probe;
}

/// A few, more than a block has threads, and more than 256 threads with 8 each.
std::vector<Explained> Explain() {
  std::vector<LinearTest> tests;
  for (const Evidence& e : AllEvidence()) {
    LinearTest& test = tests.emplace_back(e.test, &e.result);
    if (!e.input.empty() && e.input.size() < 400) test.probe = ProbeOf(e.input.size());
  }
  std::vector<LinearProbe> probes;
  for (const std::size_t length : {5, 300, 2060}) probes.push_back(ProbeOf(length));
  return ExplainLinearCalls(tests, probes);
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(TimedScans);

}  // namespace
}  // namespace warplings::scan
