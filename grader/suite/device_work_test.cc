// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/device_work.h"

#include <gtest/gtest.h>

#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

/// A call whose kernel meets all requirements: 64 elements of P, stored by 64 threads.
class DeviceWorkTest : public testing::Test {
 protected:
  DeviceWorkTest() {
    result_.verdict = Verdict::kPassed;
    LaunchRecord launch;
    launch.kernel = "k";
    launch.longest_warp = 100;
    launch.totals.flops = 1000;
    launch.totals.flop_requests = 32;
    launch.totals.global_load_bytes = 500;
    result_.launches = {launch};
    report_.writers = {{.label = "P", .words = 64, .by_kernel = 64, .threads = 64, .most_by_a_thread = 1}};
    wanted_.output = "P";
    wanted_.least_flops = 1000;
    wanted_.most_flops = 1000;
    wanted_.most_flop_requests = 32;
    wanted_.least_bytes = 500;
    wanted_.most_of_a_warp = 100;
    wanted_.most_words_by_a_thread = 1;
    wanted_.least_threads = 64;
  }

  /// The reason why the call fails; empty if it passes.
  std::string Reason() {
    TestResult result = result_;
    RequireDeviceWork(result, report_, wanted_);
    EXPECT_EQ(result.reason.empty(), result.verdict == Verdict::kPassed);
    EXPECT_EQ(result.reason.empty(), result.next_step.empty()) << "a fault has a next step";
    return English(result.reason);
  }
  ArrayWriters& writers() { return report_.writers[0]; }
  LaunchRecord& launch() { return result_.launches[0]; }

  TestResult result_;
  CallReport report_;
  DeviceWork wanted_;
};

TEST_F(DeviceWorkTest, ExactlyWhatIsAskedForPasses) {
  EXPECT_EQ(Reason(), "");
}

TEST_F(DeviceWorkTest, OneElementOfACopyIsTooMany) {
  writers().by_kernel = 63;
  writers().by_copy = 1;
  EXPECT_EQ(Reason(), "a copy, not a kernel, wrote 1 of 64 elements of P");
  writers().after_host_read = 1;
  EXPECT_EQ(
      Reason(),
      "a copy, not a kernel, wrote 1 of 64 elements of P, and the host may have computed what it copied");
}

/// Whatever else a suite found too little of, such as shared memory.
TEST_F(DeviceWorkTest, ThatNoKernelComputesComesBeforeOtherRequirements) {
  writers().by_kernel = 0;
  writers().by_copy = 64;
  const std::string copied = "a copy, not a kernel, wrote P (64 elements)",
                    none = "the call launched no kernel: the host or copies wrote P";
  EXPECT_EQ(Reason(), copied) << "from where kernels may have stored it";
  launch().totals.global_load_bytes = 0;
  EXPECT_EQ(Reason(), "no kernel of the call loads anything: the host or copies wrote P");
  result_.launches.clear();
  EXPECT_EQ(Reason(), none);
  result_.verdict = Verdict::kWrongResult;
  result_.reason = "no shared memory";
  result_.next_step = "use it";
  EXPECT_EQ(Reason(), none);
  // Of wrong values there is more to say, and a kernel that computes may break another requirement first.
  result_.wrong_count = 1;
  report_.verdict = Verdict::kNotRun;  // So that nobody asks for the same call once more.
  EXPECT_EQ(Reason(), "no shared memory");
  result_.wrong_count = 0;
  result_.launches.resize(1);
  writers() = {.label = "P", .words = 64, .by_kernel = 64, .after_host_read = 64};
  EXPECT_EQ(Reason(), "the host read device memory, and the kernel that stored P after that loads no input");
  result_.launches[0].arrays = {{.label = "M", .load_bytes = 4}};
  EXPECT_EQ(Reason(), "no shared memory");
}

/// Nothing has to be computed, and a memset is allowed.
TEST_F(DeviceWorkTest, WithoutAKernelAPermittedMemsetPasses) {
  result_.launches.clear();
  writers().by_kernel = 0;
  writers().by_fill = 64;
  wanted_ = {.output = "P", .may_be_filled = true};
  EXPECT_EQ(Reason(), "");
}

TEST_F(DeviceWorkTest, MemsetIsAllowedWhereAllIsZero) {
  writers().by_kernel = 0;
  writers().by_fill = 64;
  writers().threads = 0;
  EXPECT_EQ(Reason(), "cudaMemset, not a kernel, wrote P (64 elements)");
  wanted_ = {.output = "P", .may_be_filled = true};
  EXPECT_EQ(Reason(), "");
}

/// Where the contract says that the rest stays as it is, zeros in all elements would break it again.
TEST_F(DeviceWorkTest, MemsetOfARestThatMustStayIsLeftOut) {
  writers().by_kernel = 60;
  writers().by_fill = 4;
  wanted_.stored_words = 60;
  wanted_.rest_is_untouched = true;
  TestResult result = result_;
  RequireDeviceWork(result, report_, wanted_);
  EXPECT_EQ(English(result.next_step),
            "cudaMemset writes elements of P. The elements after the result must stay as they are: leave the "
            "cudaMemset out, and let the kernel store the result.");
}

/// Of an element that two threads store, only the last one counts.
TEST_F(DeviceWorkTest, AThreadMayHaveStoredMoreThanItStoredLast) {
  writers().most_by_a_thread = 2;
  launch().arrays = {{.label = "P", .store_bytes = 64 * sizeof(float)}};
  EXPECT_EQ(Reason(), "one thread stored 2 of 64 elements of P; at most 1 are allowed");
  launch().arrays[0].store_bytes += sizeof(float);
  EXPECT_EQ(Reason(), "one thread stored at least 2 of 64 elements of P; at most 1 are allowed");
  TestResult result = result_;
  RequireDeviceWork(result, report_, wanted_);
  EXPECT_TRUE(
      English(result.next_step).starts_with("One thread stores at least 2 elements of `P`; at most 1"));
  writers().most_by_a_thread = 64;
  EXPECT_EQ(Reason(), "one thread stored P (64 elements); at most 1 are allowed");
}

TEST_F(DeviceWorkTest, EachElementNeedsAWriter) {
  writers().by_kernel = 60;
  writers().by_nobody = 4;
  EXPECT_EQ(Reason(), "no kernel of this call stored 4 of 64 elements of P");
}

/// The contract may say that only the first elements are the result.
TEST_F(DeviceWorkTest, OnlySomeElementsMayHaveToBeStored) {
  writers().by_kernel = 60;
  writers().by_nobody = 4;
  wanted_.stored_words = 60;
  wanted_.least_threads = 60;
  writers().threads = 60;
  EXPECT_EQ(Reason(), "");
  wanted_.stored_words = 61;
  EXPECT_EQ(Reason(), "no kernel of this call stored 1 of 61 elements of P");
  wanted_.stored_words = 59;
  EXPECT_EQ(Reason(), "") << "the rest may be written";
  wanted_.rest_is_untouched = true;
  EXPECT_EQ(Reason(), "the call stored 60 elements of P; the result has 59");
  writers().by_kernel = 0;
  writers().by_nobody = 64;
  EXPECT_EQ(Reason(), "no kernel of this call stored P (59 elements)");
}

TEST_F(DeviceWorkTest, OfAnOutputWithoutElementsNothingIsRequired) {
  report_.writers.clear();
  report_.empty_arrays = {"P"};
  EXPECT_EQ(Reason(), "");
}

TEST_F(DeviceWorkTest, NothingGoesOverTheHost) {
  writers().after_host_read = 1;
  result_.launches[0].arrays = {{.label = "M", .load_bytes = 4}, {.label = "P", .store_bytes = 256}};
  EXPECT_NE(Reason().find("the host read device memory before"), std::string::npos);
  // What a kernel writes to managed memory the host can read, and nobody knows whether it did.
  writers().after_shared_write = 1;
  EXPECT_EQ(
      Reason(),
      "a kernel wrote managed or pinned memory, which the host can read, before the kernel that stored P "
      "was launched");
  writers().after_host_read = 2;
  EXPECT_NE(Reason().find("the host read device memory before"), std::string::npos);
  // A kernel that only passes on what the host computed loads that alone.
  result_.launches[0].arrays[0].load_bytes = 0;
  EXPECT_EQ(Reason(), "the host read device memory, and the kernel that stored P after that loads no input");
}

TEST_F(DeviceWorkTest, AKernelWithoutResourcesBreaksTheirLimits) {
  TestResult result;
  result.verdict = Verdict::kPassed;
  result.launches.resize(2);
  result.launches[0].kernel = "lean";
  result.launches[1].kernel = "unknown";
  RequireKnownResources(result, {{.kernel = "lean"}, {.kernel = "unknown"}});
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  RequireKnownResources(result, {{.kernel = "lean"}});
  EXPECT_EQ(result.verdict, Verdict::kWrongResult);
  EXPECT_NE(English(result.reason).find("the registers of unknown are unknown"), std::string::npos)
      << result.reason;
}

TEST_F(DeviceWorkTest, NothingGoesOverTheHostWhileAKernelRuns) {
  writers().in_exchange_with_host = 1;
  EXPECT_NE(Reason().find("both writes and reads managed or pinned memory"), std::string::npos);
}

TEST_F(DeviceWorkTest, CopiesWithinTheDeviceMatterWhereElementsAreMoved) {
  writers().after_copy = 64;
  EXPECT_EQ(Reason(), "");
  wanted_.is_a_move = true;
  EXPECT_NE(Reason().find("a copy within the device"), std::string::npos);
}

TEST_F(DeviceWorkTest, EachBoundHoldsToTheUnit) {
  const auto breaks = [this](auto change, const std::string& words) {
    const auto before = std::tuple(result_, report_, wanted_);
    change();
    EXPECT_NE(Reason().find(words), std::string::npos) << Reason();
    std::tie(result_, report_, wanted_) = before;
  };
  breaks([&] { --launch().totals.flops; }, "999 floating-point operations");
  breaks([&] { ++launch().totals.flops; }, "1001 floating-point operations");
  breaks([&] { ++launch().totals.flop_requests; }, "33 arithmetic instructions");
  breaks([&] { --launch().totals.global_load_bytes; }, "499 bytes");
  breaks([&] { ++launch().longest_warp; }, "one warp executed 101 instructions");
  breaks([&] { ++writers().most_by_a_thread; }, "one thread stored 2 of 64 elements");
  breaks([&] { --writers().threads; }, "63 threads stored P");
}

/// The function gets its inputs in host memory: "from where they are" would be no advice.
TEST_F(DeviceWorkTest, InputsOfTheHostHaveToBeCopied) {
  launch().totals.global_load_bytes = 0;
  const auto next_step = [this] {
    TestResult result = result_;
    RequireDeviceWork(result, report_, wanted_);
    return English(result.next_step);
  };
  EXPECT_EQ(Reason(), "the kernels loaded 0 bytes; the inputs have 500");
  EXPECT_NE(next_step().find("from where they are"), std::string::npos);
  report_.has_no_inputs = true;
  EXPECT_EQ(Reason(), "the kernels loaded 0 bytes; the inputs in host memory have 500");
  EXPECT_NE(next_step().find("Copy all of the inputs to the device"), std::string::npos);
}

/// Nobody works for others there, but several do the same: sharing the work out is no advice.
TEST_F(DeviceWorkTest, WorkThatIsDoneSeveralTimesIsNamed) {
  launch().longest_warp = 101;
  const auto next_step = [this](std::uint64_t stores) {
    ArrayTraffic traffic;
    traffic.label = "P";
    traffic.store_bytes = stores * sizeof(float);
    launch().arrays = {traffic};
    TestResult result = result_;
    RequireDeviceWork(result, report_, wanted_);
    return English(result.next_step);
  };
  EXPECT_TRUE(next_step(640).starts_with(
      "Elements are stored over and over: 640 stores to P, which has 64 elements."));
  EXPECT_TRUE(next_step(128).starts_with("One warp does too much")) << "a 0 first, say, and the sum then";
}

/// The finding is a warning, as nobody may use such a value; where values are wrong, it comes first.
TEST_F(DeviceWorkTest, WrongValuesAreAskedAboutByTheLaneThatIsGone) {
  Finding shuffle;
  shuffle.kind = FindingKind::kShuffleAfterExit;
  shuffle.severity = Severity::kWarning;
  shuffle.where.line = 32;
  shuffle.message = say::shuffle_from_returned(0, 0, 16);
  const auto next_step = [this](std::vector<Finding> findings, std::uint64_t wrong_count) {
    TestResult result = result_;
    result.findings = std::move(findings);
    result.wrong_count = wrong_count;
    if (wrong_count > 0) result.verdict = Verdict::kWrongResult;
    report_.verdict = Verdict::kFinding;  // Nothing is called again.
    RequireDeviceWork(result, report_, wanted_);
    return English(result.next_step);
  };
  EXPECT_EQ(
      next_step({shuffle}, 1),
      "In line 32, lane 0 of warp 0 reads the value of lane 16, which does not take part in this shuffle: "
      "the result is "
      "undefined in CUDA. "
      "Let all lanes stay until the last shuffle: which value should a lane without an element supply?");
  EXPECT_EQ(next_step({shuffle}, 0), "");
  Finding race;
  race.kind = FindingKind::kRace;
  EXPECT_EQ(next_step({shuffle, race}, 1), "") << "a finding that is an error has its own";
}

TEST_F(DeviceWorkTest, ConstantMemoryAndAtomicsAreLoads) {
  launch().totals.global_load_bytes = 100;
  launch().totals.constant_load_bytes = 200;
  launch().totals.global_atomic_bytes = 200;
  EXPECT_EQ(Reason(), "");
}

TEST_F(DeviceWorkTest, AFaultThatIsThereStays) {
  result_.verdict = Verdict::kWrongResult;
  result_.reason = "3 of 64 elements of P are wrong";
  writers().by_copy = 64;
  TestResult result = result_;
  RequireDeviceWork(result, report_, wanted_);
  EXPECT_EQ(result.reason, "3 of 64 elements of P are wrong");
}

/// No silent pass where nobody knows.
TEST_F(DeviceWorkTest, ADeviceThatCannotSayIsAFaultOfTheGrader) {
  report_.writers.clear();
  RequireDeviceWork(result_, report_, wanted_);
  EXPECT_EQ(result_.verdict, Verdict::kGraderFault);
}

TEST_F(DeviceWorkTest, AMisspeltOutputIsAFaultOfTheSuite) {
  wanted_.output = "Q";
  EXPECT_EQ(Reason(), "the suite names the output Q, and no array of this call has that label");
}

TEST_F(DeviceWorkTest, AFunctionOfTheHostLaunchesNothing) {
  RequireNoLaunch(result_);
  EXPECT_EQ(result_.verdict, Verdict::kWrongResult);
  EXPECT_NE(English(result_.reason).find("launched kernel k"), std::string::npos);
  TestResult none;
  none.verdict = Verdict::kPassed;
  RequireNoLaunch(none);
  EXPECT_EQ(none.verdict, Verdict::kPassed);
}

TEST(EveryCallTest, TheFirstCallThatBreaksALimitIsNamedWhereTheLimitIsTheSubject) {
  EveryCall calls;
  TestResult passed, broke;
  passed.verdict = Verdict::kPassed;
  passed.title = "32 x 32";
  broke = passed;
  AddVerdict(broke, Verdict::kWrongResult, "7 conflicts", "Look at the banks.");
  EXPECT_FALSE(calls.Note("conflicts", passed, passed));
  TestResult told = passed;
  calls.Tell("conflicts", told);
  EXPECT_EQ(told.verdict, Verdict::kPassed);

  EXPECT_FALSE(calls.Note("conflicts", broke, broke)) << "failed by itself: no news";
  calls.Tell("conflicts", told);
  EXPECT_EQ(told.verdict, Verdict::kPassed);

  EXPECT_TRUE(calls.Note("conflicts", passed, broke));
  TestResult later = passed;
  later.title = "64 x 64";
  TestResult later_broke = later;
  AddVerdict(later_broke, Verdict::kWrongResult, "9 conflicts", "");
  EXPECT_TRUE(calls.Note("conflicts", later, later_broke)) << "each such call, not the first alone";
  calls.Tell("sectors", told);
  EXPECT_EQ(told.verdict, Verdict::kPassed) << "another limit";
  TestResult own = told;
  calls.Tell("conflicts", own);
  EXPECT_EQ(English(own.reason), "7 conflicts") << "its own call needs no name";

  EXPECT_FALSE(calls.Note("sectors", broke, broke));
  const std::map<std::string, bool> noted = {{"conflicts", true}, {"sectors", false}};
  EXPECT_EQ(calls.noted(), noted);
  told.title = "64 x 64";
  calls.Tell("conflicts", told);
  EXPECT_EQ(English(told.reason), "in the test \"32 x 32\", 7 conflicts");
  EXPECT_EQ(told.next_step, "Look at the banks.");
  ASSERT_NE(say::TestOfLimit(told.reason), nullptr);
  EXPECT_EQ(*say::TestOfLimit(told.reason), passed.title);
  EXPECT_EQ(say::TestOfLimit(own.reason), nullptr);
  EXPECT_TRUE(calls.Note("sectors", passed, broke, "1,024 elements"));
  TestResult sized = later;
  calls.Tell("sectors", sized);
  EXPECT_EQ(English(sized.reason), "with 1,024 elements, 7 conflicts") << "rather than a title";
  ASSERT_NE(say::TestOfLimit(sized.reason), nullptr);
  EXPECT_EQ(*say::TestOfLimit(sized.reason), passed.title);
}

TEST(SharedCountsTest, TurnsOfAnAtomicAreConflicts) {
  Counts counts;
  counts.shared_load_requests = 3;
  counts.shared_load_conflicts = 1;
  counts.shared_atomic_requests = 2;
  counts.shared_atomic_passes = 33;  // one of 32 turns, one of a single one
  counts.shared_atomic_conflicts = 5;
  EXPECT_EQ(SharedConflicts(counts), 1u + 31u + 5u);
  EXPECT_EQ(SharedRequests(counts), 5u);
}

}  // namespace
}  // namespace warplings
