// SPDX-License-Identifier: Apache-2.0
//
// Judges compact. Each test is one call of the submission's function on fresh inputs; its name says what a
// student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

/// What one test saw, from which the facts are made.
struct Evidence {
  std::string name;
  TestResult result;
  std::vector<int> in, out, expected;
  std::optional<int> returned;
  bool needs_order = false;    ///< The judge saw other values with the blocks in another order.
  bool many_launches = false;  ///< That alone is wrong.
};

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// The watchdog's budget for a launch: many times what a single thread would need for all elements.
std::uint64_t Budget(std::size_t n) {
  return 1'000'000 + 1000 * n;
}

std::vector<int> NoLessThan(const std::vector<int>& in, int least) {
  std::vector<int> kept;
  std::ranges::copy_if(in, std::back_inserter(kept), [least](int value) { return value >= least; });
  return kept;
}

/// A third each of positive elements, zeros and negative ones, in random order; the positive ones are
/// distinct.
std::vector<int> MixedValues(RandomValues& random, std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto value = static_cast<int>(i + 1);
    const std::uint64_t kind = random.Below(3);
    values[i] = kind == 0 ? value : kind == 1 ? 0 : -value;
  }
  for (std::size_t i = n; i > 1; --i) std::swap(values[i - 1], values[random.Below(i)]);
  return values;
}

/// A scan of a million elements by doubling has 20 steps, and each may take a few launches.
constexpr std::size_t kMostLaunches = 100;

class Compact : public testing::Test {
 protected:
  void Check(const std::string& title, std::size_t n) {
    RandomValues random = TestRandom();
    CheckValues(title, MixedValues(random, n));
  }

  void CheckValues(const std::string& title, std::vector<int> in, bool is_of_launches = false) {
    Evidence evidence;
    evidence.name = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.in = std::move(in);
    evidence.expected = NoLessThan(evidence.in, 1);
    const auto n = static_cast<int>(evidence.in.size());
    const CallReport report =
        Session().Call({InputArray("in", evidence.in, OtherElements::EachAlone()),
                        OutputArray<int>("out", evidence.in.size())},
                       Budget(evidence.in.size()), [&](Worker& worker, std::span<const DevicePointer> p) {
                         const CallOutcome outcome = worker.Call(p[0], p[1], n);
                         // The call may run several times: the last one counts.
                         evidence.returned = outcome.ResultAs<int>();
                         return outcome;
                       });

    evidence.result = ResultOf(title, report);
    if (report.contents.size() == 2) {
      evidence.out = ValuesOf<int>(report.contents[1]);
      const std::size_t copied = evidence.expected.size();
      const auto where = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
      const std::span<const int> compared = std::span(evidence.out).first(copied);
      AddComparison(evidence.result, CompareInts(compared, evidence.expected, where), "out");
      AddReturned(evidence.result, static_cast<int>(copied), evidence.returned);
      DeviceWork work;
      work.output = "out";
      work.stored_words = copied;
      work.rest_is_untouched = true;
      work.least_bytes = evidence.in.size() * sizeof(int);
      work.most_of_a_warp = 4000 + 2 * evidence.in.size();
      RequireDeviceWork(evidence.result, report, work);
    }
    // Places that depend on the order of blocks need no limit: the judge calls once more in another order.
    evidence.needs_order = say::stored_by_order.Made(report.reason);
    evidence.many_launches = NoteLaunches(evidence);
    // This test is the one about launches: it fails if any call before it, or its own, broke the limit.
    if (is_of_launches) BrokenLimits().Tell("launches", evidence.result);
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }

 private:
  /// The limit holds in every call. A call that breaks it does not fail its own test, which is about a size.
  /// True if nothing else is wrong: only then is it a fact (FactsOfCalls).
  static bool NoteLaunches(const Evidence& evidence) {
    TestResult limited = evidence.result;
    const std::size_t launches = evidence.result.launches.size();
    if (launches > kMostLaunches) {
      AddVerdict(limited, Verdict::kWrongResult, "there are " + std::to_string(launches) + " launches",
                 "Let the blocks of one launch work on all elements.");
    }
    return BrokenLimits().Note("launches", evidence.result, limited);
  }
};

TEST_F(Compact, OneElement) {
  CheckValues("n = 1: one thread of 256 has work", {7});
}

TEST_F(Compact, NoneIsPositive) {
  CheckValues("n = 100, none is positive: nothing is copied", std::vector<int>(100, -3));
}

TEST_F(Compact, AllArePositive) {
  CheckValues("n = 300, all are positive: all of in is copied", std::vector<int>(300, 5));
}

TEST_F(Compact, ExactlyOneBlock) {
  Check("n = 256, exactly one block", 256);
}

TEST_F(Compact, OneThreadOfTheSecondBlock) {
  Check("n = 257: the second block has one element", 257);
}

TEST_F(Compact, AnySize) {
  RandomValues random(SeedOfTest(Session().seed(), "Compact.AnySize.n"));
  const std::size_t n = 1025 + random.Below(4000);
  Check("a random size: " + std::to_string(n), n);
}

TEST_F(Compact, AnyOrderOfBlocks) {
  Check("n = 2000: blocks may run in any order", 2000);
}

TEST_F(Compact, MoreBlocksThanOneBlockAddsUp) {
  Check("n = 70000: more blocks than one block has threads", 70'000);
}

TEST_F(Compact, FewLaunches) {
  RandomValues random = TestRandom();
  CheckValues("n = 60000: the blocks of a launch share the work", MixedValues(random, 60'000), true);
}

Message In(const Evidence& evidence, const Message& what) {
  return say::of_test(evidence.name, what);
}

/// Values and count are those of an answer that takes zeros for positive.
bool IsZerosCopied(const Evidence& evidence) {
  const std::vector<int> kept = NoLessThan(evidence.in, 0);
  return kept.size() != evidence.expected.size() && evidence.returned == static_cast<int>(kept.size()) &&
         kept.size() <= evidence.out.size() && std::equal(kept.begin(), kept.end(), evidence.out.begin());
}

/// Each copied element is one place too far back, and out[0] is never stored.
bool IsShifted(const Evidence& evidence) {
  const std::vector<int>& out = evidence.out;
  if (evidence.expected.empty() || out.empty() || !IsPoisonInt(out.front())) return false;
  const std::size_t stored = std::min(evidence.expected.size(), out.size() - 1);
  // No elements are equal to any others: a call that stored nothing shows nothing.
  return stored > 0 && std::equal(out.begin() + 1, out.begin() + 1 + stored, evidence.expected.begin());
}

/// The first elements of out, as many as are to be copied.
std::vector<int> CopiedOf(const Evidence& evidence) {
  return {evidence.out.begin(),
          evidence.out.begin() + std::min(evidence.out.size(), evidence.expected.size())};
}

/// The elements are right, and the count is not.
bool IsCountWrong(const Evidence& evidence) {
  return CopiedOf(evidence) == evidence.expected && evidence.returned &&
         *evidence.returned != static_cast<int>(evidence.expected.size());
}

/// The count is that of the elements before the last block of a launch with a thread for each element.
bool LeavesOutLastBlock(const Evidence& evidence) {
  const std::size_t n = evidence.in.size();
  return std::ranges::any_of(evidence.result.launches, [&](const LaunchRecord& launch) {
    const std::uint64_t block = launch.block.Volume(), before = (launch.grid.Volume() - 1) * block;
    if (before >= n || before + block < n) return false;
    const auto last = evidence.in.begin() + static_cast<std::ptrdiff_t>(before);
    return evidence.returned == std::count_if(evidence.in.begin(), last, [](int each) { return each > 0; });
  });
}

/// Each wrong count is like that. One alone may be so by chance: of one element, the count is 0.
bool EachCountLeavesOutLastBlock() {
  return std::ranges::all_of(AllEvidence(), [](const Evidence& evidence) {
    return !IsCountWrong(evidence) || LeavesOutLastBlock(evidence);
  });
}

/// Atomic operations gave the places. Without any, another mistake has changed the order.
bool IsMixedUp(const Evidence& evidence) {
  if (TotalCounts(evidence.result).atomics == 0) return false;
  const std::vector<int> copied = CopiedOf(evidence);
  std::vector<int> out = copied, expected = evidence.expected;
  std::ranges::sort(out);
  std::ranges::sort(expected);
  return out == expected && copied != evidence.expected;
}

/// The number of elements that each block of a launch copies if every thread has the same number of them.
std::vector<std::size_t> CopiedByBlocks(const Evidence& evidence, const LaunchRecord& launch) {
  const std::size_t n = evidence.in.size(), block = launch.block.Volume();
  const std::size_t threads = launch.grid.Volume() * block;
  if (threads == 0) return {};
  const std::size_t each = block * ((n + threads - 1) / threads);
  std::vector<std::size_t> copied;
  for (std::size_t first = 0; first < n; first += each) {
    copied.push_back(static_cast<std::size_t>(
        std::count_if(evidence.in.begin() + static_cast<std::ptrdiff_t>(first),
                      evidence.in.begin() + static_cast<std::ptrdiff_t>(std::min(first + each, n)),
                      [](int value) { return value > 0; })));
  }
  return copied;
}

bool StoresTo(const LaunchRecord& launch, std::string_view label) {
  return std::ranges::any_of(launch.arrays, [&](const ArrayTraffic& array) {
    return array.label == label && array.store_bytes > 0;
  });
}

/// Two blocks of a launch have something to copy.
bool HasTwoBlocks(const Evidence& evidence) {
  return std::ranges::any_of(evidence.result.launches, [&](const LaunchRecord& launch) {
    if (!StoresTo(launch, "out")) return false;
    const std::vector<std::size_t> copied = CopiedByBlocks(evidence, launch);
    return std::ranges::count_if(copied, [](std::size_t count) { return count > 0; }) > 1;
  });
}

/// The beginning of out is stored, as far as the block with the most elements reaches, and nothing after it,
/// although more is to be copied.
bool EndsWithLargestBlock(const Evidence& evidence) {
  const std::vector<int>& out = evidence.out;
  const auto stored = static_cast<std::size_t>(std::ranges::find_if(out, IsPoisonInt) - out.begin());
  const bool ends = std::all_of(out.begin() + static_cast<std::ptrdiff_t>(stored), out.end(), IsPoisonInt);
  if (!ends || stored >= evidence.expected.size()) return false;
  return std::ranges::any_of(evidence.result.launches, [&](const LaunchRecord& launch) {
    const std::vector<std::size_t> copied = CopiedByBlocks(evidence, launch);
    return StoresTo(launch, "out") && !copied.empty() && std::ranges::max(copied) == stored;
  });
}

/// Each call in which two blocks have something to copy is like that. One alone may be so by another mistake:
/// a count that is cut to 8 bits is 0 for 256 elements, and the next block then begins at out[0], too.
bool EachBlockCopiesToBeginning() {
  const auto several = [](const Evidence& evidence) { return HasTwoBlocks(evidence); };
  return std::ranges::any_of(AllEvidence(), several) &&
         std::ranges::all_of(AllEvidence(), [](const Evidence& evidence) {
           return !HasTwoBlocks(evidence) || EndsWithLargestBlock(evidence);
         });
}

/// As many elements as 256 blocks of 256 threads have: a block adds up the counts of so many blocks at once.
constexpr std::size_t kOneStep = 256 * 256;

/// Only this call is wrong, and it has more elements. A race between two passes of the loop over the counts
/// shows there, too, and so does scratch memory that is too small: both have a finding.
bool NeedsSecondStep(const Evidence& evidence) {
  const bool has_other_cause = HasFinding(evidence.result, FindingKind::kRace, MemorySpace::kShared) ||
                               HasFinding(evidence.result, FindingKind::kOutOfBounds);
  return evidence.in.size() > kOneStep && HasFailed(evidence.result) && !has_other_cause &&
         std::ranges::none_of(AllEvidence(), [](const Evidence& other) {
           return other.in.size() <= kOneStep && HasFailed(other.result);
         });
}

/// What tells wrong answers apart. A fact only says what was seen; chapter.toml says which misconception it
/// tells of (told_by).
std::vector<Fact> FactsOfCalls() {
  std::vector<Fact> found;
  const bool all_at_beginning = EachBlockCopiesToBeginning();
  for (const Evidence& evidence : AllEvidence()) {
    const TestResult& result = evidence.result;
    if (CountOutside(result, "in", Access::kRead) > 0) {
      AddFactOf(found, "reads_outside", In(evidence, "reads outside in"), evidence.name);
    }
    if (NeedsSecondStep(evidence)) {
      // Later blocks store where earlier ones do: that follows from it.
      AddFactOf(found, "wrong_after_one_step", In(evidence, "wrong only with more than 256 x 256 elements"),
                evidence.name);
      continue;
    }
    if (all_at_beginning && HasTwoBlocks(evidence)) {
      AddFactOf(found, "blocks_at_beginning",
                In(evidence, "no more is stored than the block with the most elements copies"),
                evidence.name);
    }
    // What a call did not come to is no mistake of its own.
    if (!Completed(result) || !Returned(result)) continue;
    if (IsZerosCopied(evidence))
      AddFactOf(found, "zeros_counted", In(evidence, "zeros are copied and counted, too"), evidence.name);
    if (IsShifted(evidence))
      AddFactOf(found, "one_too_far", In(evidence, "each element is one place too far"), evidence.name);
    if (HasError(result)) continue;
    if (IsCountWrong(evidence) && EachCountLeavesOutLastBlock()) {
      AddFactOf(found, "last_block_not_in_count",
                In(evidence, "out is right, and the count is that of all blocks but the last"),
                evidence.name);
    }
    if (IsMixedUp(evidence)) {
      AddFactOf(found, "mixed_up", In(evidence, "all elements are there, in another order"), evidence.name);
    }
    if (evidence.needs_order) {
      AddFactOf(found, "needs_order", In(evidence, "places depend on the order of the blocks"),
                evidence.name);
    }
    if (evidence.many_launches) {
      AddFactOf(found, "many_launches", In(evidence, "more launches than the limit allows"), evidence.name);
    }
  }
  return found;
}

const bool graded =
    GradedBy({.shared = KernelGrading(),
              .header = {"The copied elements and the returned count are right for every n.",
                         "The places do not depend on the order in which threads and blocks run."},
              .page = {"The kernels do not store past the copied elements of out.",
                       "The kernels load each element of in at least once.",
                       "There are no more than " + std::to_string(kMostLaunches) + " launches.",
                       "No warp executes more than 4000 + 2 x n instructions."}});

const bool states_facts = StateFactsWith(FactsOfCalls);

}  // namespace
}  // namespace warplings
