// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/observed_call.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <thread>

#include "grader/device/client.h"
#include "grader/device/server.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"
#include "grader/suite/input_use.h"
#include "tests/support/fake_device.h"

namespace warplings {
namespace {

const std::vector<float> kInput = {1, 2, 3};

/// Calls that take one input "M" and one output "P", both of three floats. The device is a fake behind a
/// server in its own thread, which does nothing unless it is asked; so a test may look at the fake in
/// between.
class ObserveCallTest : public testing::Test {
 protected:
  using Body = std::function<void(float* m, float* p)>;

  void SetUp() override {
    ChannelPair pair = MakeChannelPair();
    server_ = std::make_unique<DeviceServer>(std::vector<LocalDevice*>{&device_}, std::move(pair.second));
    thread_ = std::thread([this] { EXPECT_TRUE(server_->Run().ok()); });
    judge_ = DeviceClient::Connect(std::move(pair.first)).value();
  }
  void TearDown() override {
    judge_.reset();
    thread_.join();
  }

  CallReport Observe(const CallRequest& request) {
    std::vector<DeviceArray> arrays;
    CallReport report = ObserveCall(*judge_, request, arrays);
    CallBatch batch(*judge_);
    DeviceArray::AddFrees(batch, arrays);
    batch.Ask();
    return report;
  }

  CallReport Call(const Body& body, CallOutcome outcome = Passed()) {
    CallRequest request;
    request.arrays = {InputArray("M", kInput, OtherElements::AnyValue()), OutputArray<float>("P", 3)};
    request.max_warp_instructions = 77;
    request.fence = fence_;
    request.load_findings = load_findings_;
    request.changed_before = changed_before_;
    request.block_order = block_order_;
    request.call = [&](std::span<const DevicePointer> pointers) {
      body(Memory(pointers[0]), Memory(pointers[1]));
      return outcome;
    };
    return Observe(request);
  }

  static CallOutcome Passed() {
    CallOutcome outcome;
    outcome.verdict = Verdict::kPassed;
    return outcome;
  }

  float* Memory(DevicePointer pointer) {
    return reinterpret_cast<float*>(device_.Memory(pointer, 3 * sizeof(float)));
  }

  static Finding Make(FindingKind kind, const Message& message) {
    Finding finding;
    finding.kind = kind;
    finding.message = message;
    return finding;
  }

  FakeDevice device_;
  std::unique_ptr<DeviceServer> server_;
  std::thread thread_;
  std::unique_ptr<DeviceClient> judge_;
  Fence fence_ = Fence::kDevice;
  int changed_before_ = -1;
  BlockOrder block_order_ = BlockOrder::kAscending;
  std::vector<Finding> load_findings_;
};

TEST_F(ObserveCallTest, ACleanCallGivesItsOutputs) {
  const CallReport report = Call([](float* m, float* p) {
    for (int i = 0; i < 3; ++i) p[i] = 2 * m[i];
  });
  EXPECT_EQ(report.verdict, Verdict::kPassed);
  EXPECT_FALSE(report.unclean);
  EXPECT_FALSE(report.has_no_inputs);
  ASSERT_EQ(report.contents.size(), 2u);
  EXPECT_EQ(ValuesOf<float>(report.contents[1]), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(device_.observation.max_warp_instructions, 77u);
  EXPECT_EQ(device_.live_allocations(), 0u);
}

TEST_F(ObserveCallTest, ACallMayHaveOutputsOnly) {
  CallRequest request;
  request.arrays = {OutputArray<float>("P", 3)};
  request.call = [](std::span<const DevicePointer>) { return Passed(); };
  EXPECT_TRUE(Observe(request).has_no_inputs);
}

TEST_F(ObserveCallTest, OutputsStartPoisonedAndArraysHaveTheirNames) {
  const CallReport report = Call([this](float*, float* p) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(std::bit_cast<std::uint32_t>(p[i]), Poison());
    std::vector<std::string> labels;
    for (const auto& [address, label] : device_.labels) labels.push_back(label);
    EXPECT_EQ(labels, (std::vector<std::string>{"M", "P"}));
  });
  for (const float value : ValuesOf<float>(report.contents.at(1))) EXPECT_TRUE(IsPoison(value));
}

/// What knows an array by its address and size takes the elements of the call before.
TEST_F(ObserveCallTest, ACallBeforeHasOtherElementsAtTheSameAddresses) {
  std::vector<std::vector<float>> seen;
  std::vector<float*> at;
  changed_before_ = 0;
  const CallReport report = Call([&](float* m, float* p) {
    seen.emplace_back(m, m + 3);
    at.push_back(m);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(p[0]), Poison());
    p[0] = seen.front()[0];
    if (seen.size() == 1) device_.launches.push_back({});
  });
  EXPECT_EQ(seen, (std::vector<std::vector<float>>{{-3, -2, -1}, {1, 2, 3}}));
  EXPECT_EQ(at.at(0), at.at(1));
  EXPECT_EQ(report.verdict, Verdict::kPassed);
  EXPECT_TRUE(report.launches.empty()) << "those of the call before";
  EXPECT_EQ(ValuesOf<float>(report.contents.at(1))[0], -3);
  EXPECT_EQ(ValuesOf<float>(report.contents_before.at(1))[0], -3);
}

TEST_F(ObserveCallTest, TheCallBeforeHasTheSameOrderOfBlocks) {
  std::vector<BlockOrder> orders;
  const Body body = [&](float*, float*) { orders.push_back(device_.observation.block_order); };
  Call(body);
  changed_before_ = 0;
  block_order_ = BlockOrder::kDescendingInGroups;
  Call(body);
  EXPECT_EQ(orders, (std::vector{BlockOrder::kAscending, BlockOrder::kDescendingInGroups,
                                 BlockOrder::kDescendingInGroups}));
}

TEST_F(ObserveCallTest, ACallBeforeThatFailsIsReportedWithoutItsValues) {
  int calls = 0;
  changed_before_ = 0;
  const CallReport report = Call([&](float*, float*) {
    if (++calls == 1) device_.findings = {Make(FindingKind::kOutOfBounds, "outside")};
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(report.verdict, Verdict::kFinding);
  EXPECT_EQ(English(report.reason), "in a call before this one, where M had other elements: outside");
  EXPECT_TRUE(report.contents.empty());
}

/// Reports look for the line at the beginning.
TEST_F(ObserveCallTest, TheLineStandsBeforeTheCallWithOtherElements) {
  changed_before_ = 0;
  const CallReport report = Call([&](float*, float*) {
    Finding finding = Make(FindingKind::kOutOfBounds, "outside");
    finding.where.line = 7;
    device_.findings = {finding};
  });
  EXPECT_EQ(English(report.reason), "line 7: in a call before this one, where M had other elements: outside");
}

TEST_F(ObserveCallTest, AChangedInputIsNamed) {
  const CallReport report = Call([](float* m, float*) { m[1] = 7; });
  EXPECT_EQ(report.verdict, Verdict::kInputModified);
  EXPECT_NE(English(report.reason).find("input M was changed"), std::string::npos);
}

/// Scratch made of an input and put right again is no reading of it.
TEST_F(ObserveCallTest, AnInputThatWasWrittenAndRestoredIsNamed) {
  device_.writers = {{.label = "M", .words = 3, .by_nobody = 3}, {.label = "P", .words = 3, .by_kernel = 3}};
  EXPECT_EQ(Call([](float*, float*) {}).verdict, Verdict::kPassed);
  device_.writers[0] = {.label = "M", .words = 3, .by_nobody = 2, .by_kernel = 1};
  const CallReport report = Call([](float*, float*) {});
  EXPECT_EQ(report.verdict, Verdict::kInputModified);
  EXPECT_NE(English(report.reason).find("the input M was written"), std::string::npos);
}

/// One bit is enough.
TEST_F(ObserveCallTest, InputsAreComparedByTheirBytes) {
  const CallReport report = Call([](float* m, float*) { m[0] = std::bit_cast<float>(0x3f800001u); });
  EXPECT_EQ(report.verdict, Verdict::kInputModified);
}

TEST_F(ObserveCallTest, TheWorkersVerdictIsTakenOver) {
  CallOutcome outcome;
  outcome.verdict = Verdict::kCrashed;
  outcome.reason = "ended by a segmentation fault";
  const CallReport report = Call([](float*, float*) {}, outcome);
  EXPECT_EQ(report.verdict, Verdict::kCrashed);
  EXPECT_EQ(report.reason, "ended by a segmentation fault");
  EXPECT_TRUE(report.unclean);
}

TEST_F(ObserveCallTest, PendingWorkIsAMissingSynchronisation) {
  const CallReport report = Call([this](float*, float*) {
    const auto stream = judge_->CreateStream(0, StreamFlags::kNonBlocking);
    const DevicePointer output = std::prev(device_.labels.end())->first;
    for (const std::uint64_t bytes : {12, 4}) ASSERT_TRUE(judge_->Fill(output, 1, bytes, *stream).ok());
  });
  EXPECT_EQ(report.verdict, Verdict::kNotSynchronised);
  EXPECT_NE(English(report.reason).find("memset of 12 bytes and 1 more"), std::string::npos);
  EXPECT_TRUE(report.unclean);
}

TEST_F(ObserveCallTest, EachKindOfFindingHasItsVerdict) {
  for (const auto& [kind, verdict] : std::initializer_list<std::pair<FindingKind, Verdict>>{
           {FindingKind::kOutOfBounds, Verdict::kFinding},
           {FindingKind::kRace, Verdict::kFinding},
           {FindingKind::kInvalidLaunch, Verdict::kLaunchFailed},
           {FindingKind::kInvalidCall, Verdict::kLaunchFailed},
           {FindingKind::kEndlessLoop, Verdict::kTimeLimit},
           {FindingKind::kDeadlock, Verdict::kTimeLimit},
           {FindingKind::kUnsupported, Verdict::kFinding}}) {
    const CallReport report = Call([&, k = kind](float*, float*) { device_.findings = {Make(k, "words")}; });
    EXPECT_EQ(report.verdict, verdict);
    EXPECT_EQ(report.reason, "words");
    EXPECT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.unclean, verdict == Verdict::kTimeLimit);
  }
}

TEST_F(ObserveCallTest, TheReasonIsTheLikeliestCauseAndItsLine) {
  const CallReport report = Call([this](float*, float*) {
    device_.findings = {Make(FindingKind::kUninitialised, "empty"), Make(FindingKind::kRace, "a race"),
                        Make(FindingKind::kDivergentBarrier, "out of step")};
    device_.findings[2].where.line = 30;
  });
  EXPECT_EQ(English(report.reason), "line 30: out of step");
  EXPECT_EQ(report.findings.front().message, "empty");
}

/// An array whose size lacks `sizeof` is too small for the kernel, and then for the copy.
TEST_F(ObserveCallTest, AnAccessOutsideComesBeforeACopyThatIsRefusedLater) {
  const auto call = [this](bool is_first, const Message& why) {
    return Call([&](float*, float*) {
      Finding outside = Make(FindingKind::kOutOfBounds, "writes past the end");
      outside.space = MemorySpace::kGlobal;
      outside.object_bytes = 2;
      outside.where.line = 14;
      Finding refused = Make(FindingKind::kInvalidCall, say::refused("cudaMemcpy", why));
      device_.findings = {outside, refused};
      if (!is_first) std::swap(device_.findings[0], device_.findings[1]);
    });
  };
  for (const Message& why : {Message(say::not_live_memory()),
                             say::past_an_allocation(say::Count(8, "byte"), say::Count(2, "byte"))}) {
    const CallReport report = call(true, why);
    EXPECT_EQ(report.verdict, Verdict::kLaunchFailed);
    EXPECT_EQ(English(report.reason), "line 14: writes past the end");
    EXPECT_EQ(report.advised, 0u);
    EXPECT_EQ(call(false, why).next_step, say::arguments_of_refused_call()) << "the copy was first";
  }
  EXPECT_EQ(call(true, say::callers_memory()).next_step, say::arguments_of_refused_call());
}

TEST_F(ObserveCallTest, AnEndlessLoopIsTheCauseOfABarrierThatItsThreadsMiss) {
  const CallReport report = Call([this](float*, float*) {
    device_.findings = {Make(FindingKind::kDivergentBarrier, "only 31 lanes"),
                        Make(FindingKind::kEndlessLoop, "still runs")};
    device_.findings[1].where.line = 19;
  });
  EXPECT_EQ(English(report.reason), "line 19: still runs");
  EXPECT_EQ(report.advised, 1u);
}

TEST_F(ObserveCallTest, WhoWaitsForEverIsAskedAboutTheLine) {
  const auto next_step = [this](FindingKind kind, const Message& message, int other_line = 0) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(kind, message)};
      device_.findings[0].where.line = 30;
      if (other_line != 0) device_.findings[0].other = SourceLine{"a.cu", other_line};
    });
    return English(report.next_step);
  };
  EXPECT_TRUE(next_step(FindingKind::kEndlessLoop, "still runs").starts_with("Endless loop around line 30."));
  EXPECT_TRUE(next_step(FindingKind::kDeadlock, say::deadlock_in_mask({8, "thread"}, 0, 24, say::elsewhere()))
                  .starts_with("Deadlock: the mask in line 30 names lanes that never get there."));
  EXPECT_TRUE(next_step(FindingKind::kDeadlock, say::deadlock(say::threads_wait(32, 64)))
                  .starts_with("Deadlock: threads wait in line 30 for others that never come."));
  EXPECT_TRUE(next_step(FindingKind::kDivergentBarrier, "only 4 arrive")
                  .starts_with("Divergent barrier: some threads of a block skip the barrier in line 30."));
  EXPECT_TRUE(next_step(FindingKind::kDivergentBarrier, "two barriers", 12)
                  .starts_with("Divergent barrier: threads of one block wait at different barriers, in line "
                               "30 and in line 12."));
}

TEST_F(ObserveCallTest, AnEmptyLaunchIsAskedAboutByWhatIsEmpty) {
  const auto next_step = [this](const Message& reason, bool with_another_kernel = false) {
    const Message message = say::refused("cudaLaunchKernel", reason);
    return English(Call([&](float*, float*) {
                     device_.findings = {Make(FindingKind::kInvalidLaunch, message)};
                     LaunchRecord launch;
                     launch.kernel = "another";
                     if (with_another_kernel) device_.launches = {launch};
                   }).next_step);
  };
  EXPECT_TRUE(next_step(say::no_blocks("0 x 1 x 1"))
                  .starts_with("The grid is too small for the test below: it has 0 blocks"));
  EXPECT_TRUE(next_step(say::no_blocks("0 x 1 x 1")).ends_with("which step of your calculation gives 0?"));
  EXPECT_TRUE(next_step(say::no_threads("0 x 1 x 1"))
                  .starts_with("The block is too small for the test below: it has 0 threads"));
  EXPECT_TRUE(next_step("the kernel is not there").starts_with("The launch failed."));
  EXPECT_TRUE(
      next_step(say::too_many_threads(4096, "64 x 64", 1024))
          .starts_with("The launch failed: the block has 64 x 64 = 4096 threads; a block can have at most "
                       "1024. Which line sets the block's size, and"));
  EXPECT_TRUE(
      next_step(say::too_many_threads_in_a_row(2149, 1024))
          .starts_with("The launch failed: the block has 2149 threads; a block can have at most 1024. "
                       "Which line sets the block's size, and"));
  // One of several kernels may have nothing to do.
  EXPECT_TRUE(next_step(say::no_blocks("0 x 1 x 1"), true).ends_with("do not launch it."));
}

/// Two places that the tile overlaps in are stored to by two lines, whose indices never coincide in one.
TEST_F(ObserveCallTest, TwoStoresAreAskedAboutByBothLines) {
  const auto next_step = [this](int other_line) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kRace, "two stores")};
      Finding& finding = device_.findings[0];
      finding.access = Access::kWrite;
      finding.other_access = Access::kWrite;
      finding.object = "tiles";
      finding.where = {"a.cu", 25};
      finding.other = SourceLine{"a.cu", other_line};
    });
    return English(report.next_step);
  };
  EXPECT_TRUE(next_step(25).starts_with("Race: two threads store to the same element of tiles in line 25."));
  EXPECT_TRUE(next_step(26).starts_with(
      "Race: two threads store to the same element of tiles, one in line 25, the other in line 26, in any "
      "order."));
}

/// Of several findings the advice is about one, and says so.
TEST_F(ObserveCallTest, TheFindingBehindTheAdviceIsKept) {
  const auto call = [this](bool with_race) {
    return Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kOutOfBounds, "reads past the end")};
      device_.findings[0].object = "tiles";
      device_.findings[0].where = {"a.cu", 21};
      if (!with_race) return;
      device_.findings.push_back(Make(FindingKind::kRace, "writes an element that warp 1 reads"));
      device_.findings[1].object = "tiles";
      device_.findings[1].where = {"a.cu", 30};
    });
  };
  EXPECT_EQ(call(false).advised, 0u);
  const CallReport report = call(true);
  EXPECT_EQ(report.advised, 1u);
  EXPECT_TRUE(
      English(report.next_step).starts_with("Race: two threads use the same element of tiles in line 30, "))
      << report.next_step;
  CallReport other = report;
  other.Add(Verdict::kGraderFault, "a fault", "of ours");
  EXPECT_FALSE(other.advised) << "that is about no finding";
}

/// A check keeps nobody from memory that an earlier call allocated for fewer elements.
TEST_F(ObserveCallTest, MemoryOfTheSubmissionsOwnIsAskedAboutByItsSize) {
  const auto next_step = [this](const Message& object, const Message& what = "writes right past the end",
                                std::int64_t offset = 4) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kOutOfBounds, what)};
      Finding& finding = device_.findings[0];
      finding.access = Access::kWrite;
      finding.space = MemorySpace::kGlobal;
      finding.object = object;
      finding.object_bytes = 4;
      finding.offset_bytes = offset;
      finding.where = {"a.cu", 30};
    });
    return English(report.next_step);
  };
  EXPECT_EQ(
      next_step(say::argument(2)),
      "Out of bounds: line 30 goes past the end of argument 2, for which your code allocated only 4 "
      "bytes. Work out how many bytes the test below needs: does your code allocate too few, or is an index "
      "too large?");
  EXPECT_EQ(
      next_step(say::argument(2), say::of_size_from_earlier_call("writes", say::Count(4, "byte"))),
      "Out of bounds: line 30 goes past the end of argument 2, which an earlier call allocated with only "
      "4 bytes. How many bytes does the test below need? A call that needs more must allocate them.");
  EXPECT_TRUE(next_step(say::an_allocation({4, "byte"}))
                  .starts_with("Out of bounds: line 30 goes past the end of memory, for which your code"));
  EXPECT_EQ(
      next_step(say::argument(2), "writes before the start", -4),
      "Out of bounds: in line 30, thread (0, 0) of block (0, 0) writes before the start. Which index in "
      "this line goes below 0?");
  EXPECT_TRUE(
      next_step("P").starts_with("Out of bounds: in line 30, thread (0, 0) of block (0, 0) writes right past "
                                 "the end. Should this thread "));
}

/// Students count elements, the device bytes.
TEST_F(ObserveCallTest, AnAccessOutsideAnArrayNamesTheElement) {
  const auto step = [this](std::int64_t offset, std::uint32_t bytes) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kOutOfBounds, "reads some bytes")};
      Finding& finding = device_.findings[0];
      finding.access = Access::kRead;
      finding.space = MemorySpace::kGlobal;
      finding.object = "M";
      finding.object_bytes = 12;
      finding.offset_bytes = offset;
      finding.access_bytes = bytes;
      finding.thread = {5, 1, 0};
      finding.block = {2, 0, 0};
      finding.where = {"a.cu", 30};
    });
    EXPECT_EQ(English(report.reason), "line 30: " + English(report.findings[0].message));
    return English(report.next_step);
  };
  EXPECT_EQ(
      step(64, 4),
      "Out of bounds: in line 30, thread (5, 1) of block (2, 0) reads `M[16]`, but `M` has 3 elements. "
      "Should this thread access an element of `M` here at all? If so, correct its index; if not, correct "
      "the condition that lets it through, or add one.");
  EXPECT_NE(step(16, 16).find("reads `M[4]` to `M[7]`, but `M` has 3 elements."), std::string::npos);
  EXPECT_NE(step(16, 8).find("reads `M[4]` and `M[5]`, but `M` has 3 elements."), std::string::npos);
  EXPECT_NE(step(-4, 4).find("reads `M[-1]`, which lies before the start of `M`."), std::string::npos);
  EXPECT_NE(step(14, 4).find("reads some bytes."), std::string::npos) << "it begins at no element";
}

TEST_F(ObserveCallTest, AnUnsignedIndexThatWentBelowZeroIsNoMatterOfAPointer) {
  const CallReport report = Call([&](float*, float*) {
    device_.findings = {Make(FindingKind::kOutOfBounds, "")};
    Finding& finding = device_.findings[0];
    finding.access = Access::kRead;
    finding.space = MemorySpace::kGlobal;
    finding.object = "M";
    finding.object_bytes = 12;
    finding.offset_bytes = 4 * 4294967295;
    finding.access_bytes = 4;
    finding.where = {"a.cu", 30};
    finding.message =
        say::index_below_zero(say::reads(), say::numbered_element("M", 4294967295), -1, 4294967295);
  });
  EXPECT_EQ(
      English(report.findings[0].message),
      "reads `M[4294967295]`: the index is an unsigned number that went below 0 (-1 became 4294967295)");
  EXPECT_TRUE(
      English(report.next_step)
          .starts_with("Out of bounds: in line 30, thread (0, 0) of block (0, 0) reads `M[4294967295]`: "))
      << report.next_step;
  EXPECT_TRUE(say::unsigned_index_below_zero.Made(report.next_step));
}

/// Only where each thread has one element is its number known to be the index.
TEST_F(ObserveCallTest, AThreadWithoutAnElementIsTold) {
  const auto step = [this](Dim3 block, Dim3 grid = {2, 1, 1}, std::int64_t bytes = 12) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kOutOfBounds, "reads some bytes")};
      Finding& finding = device_.findings[0];
      finding.kernel = "add";
      finding.access = Access::kRead;
      finding.space = MemorySpace::kGlobal;
      finding.object = "M";
      finding.object_bytes = bytes;
      finding.offset_bytes = 20;
      finding.access_bytes = 4;
      finding.thread = {1, 0, 0};
      finding.block = {1, 0, 0};
      finding.where = {"a.cu", 30};
      LaunchRecord launch;
      launch.kernel = "add";
      launch.grid = grid;
      launch.block = block;
      device_.launches = {launch};
    });
    return English(report.next_step);
  };
  EXPECT_EQ(
      step({4, 1, 1}),
      "Out of bounds: in line 30, thread (1, 0) of block (1, 0) reads `M[5]`, but `M` has 3 elements. It is "
      "thread 5 of the launch, and `M` has no element 5: a condition must keep it away from this access.");
  EXPECT_TRUE(step({8, 1, 1}).ends_with("correct the condition that lets it through, or add one."))
      << "it is thread 9";
  EXPECT_TRUE(step({4, 2, 1}).ends_with("correct the condition that lets it through, or add one."))
      << "rows of threads";
  EXPECT_TRUE(
      step({4, 1, 1}, {2, 2, 1}).ends_with("correct the condition that lets it through, or add one."));
  EXPECT_TRUE(
      step({4, 1, 1}, {2, 1, 1}, 4).ends_with("correct the condition that lets it through, or add one."))
      << "perhaps by chance";
}

/// An array with room for all that is stored is not too small for a load.
TEST_F(ObserveCallTest, ALoadOutsideSharedMemoryThatStoresStayWithin) {
  const auto step = [this](std::vector<Access> accesses, std::uint32_t dynamic_bytes) {
    const CallReport report = Call([&](float*, float*) {
      for (const Access access : accesses) {
        Finding finding = Make(FindingKind::kOutOfBounds, "is outside");
        finding.kernel = "sum";
        finding.access = access;
        finding.space = MemorySpace::kShared;
        finding.object = say::shared_array("s");
        finding.object_bytes = 12;
        finding.offset_bytes = 20;
        finding.access_bytes = 4;
        finding.where = {"a.cu", 30};
        device_.findings.push_back(finding);
      }
      LaunchRecord launch;
      launch.kernel = "sum";
      launch.dynamic_shared_bytes = dynamic_bytes;
      device_.launches = {launch};
    });
    device_.findings.clear();
    return English(report.next_step);
  };
  EXPECT_TRUE(step({Access::kRead}, 0).find("Which element should it load, if any?") != std::string::npos);
  EXPECT_TRUE(step({Access::kRead}, 12).find("Which element should it load, if any?") != std::string::npos);
  EXPECT_TRUE(
      step({Access::kRead, Access::kWrite}, 0).ends_with("at which index does the last of them lie?"));
  EXPECT_EQ(
      step({Access::kWrite}, 12),
      "Out of bounds: line 30 goes past the end of shared array `s`, for which the launch reserves only "
      "12 bytes (its third parameter). "
      "An element takes 4 bytes. Work out how many bytes the array needs: does the launch reserve too few, "
      "or "
      "is an index too large?");
}

TEST_F(ObserveCallTest, ANullPointerIsThatOfAnEmptyArrayIfThereIsOne) {
  const auto step = [this](std::vector<float> input, std::size_t outputs) {
    CallRequest request;
    request.arrays = {InputArray("M", input, OtherElements::AnyValue()), OutputArray<float>("P", outputs)};
    request.call = [&](std::span<const DevicePointer>) {
      device_.findings = {
          Make(FindingKind::kOutOfBounds, say::null_pointer(say::reads(), say::Count(4, "byte")))};
      device_.findings[0].where = {"a.cu", 30};
      return Passed();
    };
    return English(Observe(request).next_step);
  };
  EXPECT_TRUE(step({1}, 1).starts_with(
      "A thread uses a null pointer in line 30. No array of the test below is empty"));
  EXPECT_EQ(step({}, 1),
            "A thread uses a null pointer in line 30. Empty arrays have one, in the test below `M`: which "
            "condition should keep threads away from that line?");
  EXPECT_NE(step({}, 0).find("in the test below `M` and `P`:"), std::string::npos);
}

/// Nobody but the submission stores into an output.
TEST_F(ObserveCallTest, AnOutputHasNoValueBefore) {
  const auto step = [this](const Message& object) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kUninitialised, "reads what is not written")};
      device_.findings[0].space = MemorySpace::kGlobal;
      device_.findings[0].object = object;
      device_.findings[0].offset_bytes = device_.findings[0].access_bytes = 4;
      device_.findings[0].where = {"a.cu", 35};
    });
    return English(report.next_step);
  };
  EXPECT_EQ(
      step("P"),
      "Memory is read before it is written: line 35 reads `P[1]`, but an output holds no value before your "
      "code stores one, not even 0. Which line should give this element its first value?");
  EXPECT_TRUE(step(say::argument(2)).ends_with("should store this element before that line runs?"));
}

/// Only a line that loads what it stores is told of an atomic operation.
TEST_F(ObserveCallTest, ARaceNamesBothThreads) {
  const auto step = [this](const Message& message, Access access, Access other, int other_line, bool loads) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kRace, message)};
      Finding& finding = device_.findings[0];
      finding.access = access;
      finding.other_access = other;
      finding.space = MemorySpace::kGlobal;
      finding.object = "P";
      finding.object_bytes = 12;
      finding.offset_bytes = 8;
      finding.access_bytes = 4;
      finding.thread = {0, 1, 0};
      finding.where = {"a.cu", 30};
      finding.other = SourceLine{"a.cu", other_line};
      LaunchRecord launch;
      launch.arrays = {{.label = "P", .load_bytes = loads ? 4u : 0u}};
      launch.lines = {{{"a.cu", 30}, {.global_load_requests = 1}}};
      device_.launches = {launch};
    });
    return English(report.next_step);
  };
  const Message writes = say::writes(), reads = say::reads();
  const Message both_write =
      say::race_same_instruction(writes, "P", say::other_thread_of_warp({2, 0, 0}), writes);
  EXPECT_EQ(step(both_write, Access::kWrite, Access::kWrite, 30, false),
            "Race: thread (0, 1) and thread (2, 0) of block (0, 0) both store to `P[2]` in line 30. Work out "
            "that line's "
            "index by hand for each of the two threads: why is it the same?");
  EXPECT_TRUE(step(both_write, Access::kWrite, Access::kWrite, 30, true)
                  .ends_with("Make it one atomic operation, such as atomicAdd()."));
  EXPECT_EQ(step(say::race_in_block(writes, "P", say::other_thread({2, 0, 0}), reads), Access::kWrite,
                 Access::kRead, 24, false),
            "Race: thread (0, 1) writes `P[2]` in line 30, and thread (2, 0) reads it in line 24, with no "
            "barrier in between. If both should use it, let the whole block wait at a barrier "
            "between the two lines.");
  EXPECT_TRUE(step(say::race_of_many_blocks("P"), Access::kWrite, Access::kWrite, 30, false)
                  .starts_with("Race: threads of several blocks store to `P[2]` in line 30; one of them is "
                               "thread (0, 1) of block (0, 0)."));
}

/// An element that has no number is one and the same for both threads.
TEST_F(ObserveCallTest, TwoThreadsStoreToTheSameElement) {
  const CallReport report = Call([this](float*, float*) {
    device_.findings = {Make(
        FindingKind::kRace, say::race_same_instruction(say::writes(), "shared array `tile`",
                                                       say::other_thread_of_warp({2, 0, 0}), say::writes()))};
    Finding& finding = device_.findings[0];
    finding.access = Access::kWrite;
    finding.other_access = Access::kWrite;
    finding.space = MemorySpace::kShared;
    finding.object = "shared array `tile`";
    finding.object_bytes = 64;
    finding.offset_bytes = 8;
    finding.access_bytes = 4;
    finding.where = {"a.cu", 30};
    finding.other = finding.where;
  });
  const std::string step = English(report.next_step);
  EXPECT_NE(step.find("both store to the same element of shared array `tile` in line 30."), std::string::npos)
      << step;
}

/// That somebody was to store there is no fact: too many places may be read.
TEST_F(ObserveCallTest, APlaceThatNobodyStoredIsNamed) {
  const CallReport report = Call([this](float*, float*) {
    device_.findings = {Make(FindingKind::kUninitialised, "reads what is not written")};
    Finding& finding = device_.findings[0];
    finding.space = MemorySpace::kShared;
    finding.object = "shared array `sums`";
    finding.offset_bytes = 32;
    finding.where = {"a.cu", 35};
  });
  EXPECT_TRUE(
      English(report.next_step)
          .starts_with(
              "Shared memory is read before it is written: line 35 reads byte 32 of shared array `sums`,"))
      << report.next_step;
}

/// By the size of the access; of a block's warps the first that is none has their number.
TEST_F(ObserveCallTest, AnElementOfAnOwnArrayIsNamed) {
  const auto step_of_element = [this](std::int64_t element) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kUninitialised, "reads what is not written")};
      Finding& finding = device_.findings[0];
      finding.space = MemorySpace::kShared;
      finding.kernel = "sum";
      finding.object = "shared array `sums`";
      finding.object_bytes = 128;
      finding.offset_bytes = element * 4;
      finding.access_bytes = 4;
      finding.where = {"a.cu", 35};
      LaunchRecord launch;
      launch.kernel = "sum";
      launch.block = {256, 1, 1};
      device_.launches = {launch};
    });
    EXPECT_EQ(English(report.findings.at(0).message),
              "reads element " + std::to_string(element) +
                  " of shared array `sums` before anything is written "
                  "there");
    return English(report.next_step);
  };
  EXPECT_EQ(step_of_element(3),
            "Shared memory is read before it is written: line 35 reads element 3 of shared array `sums`, "
            "which no thread has stored. Should this line read it? If so, which thread should store it?");
  EXPECT_EQ(step_of_element(300),
            "Shared memory is read before it is written: line 35 reads element 300 of shared array `sums`, "
            "which no thread has stored. Your block has 256 threads: which elements do they store, and which "
            "does this line read?");
  EXPECT_EQ(
      step_of_element(8),
      "Shared memory is read before it is written: line 35 reads element 8 of shared array `sums`. Your "
      "block has 8 warps: how many elements do they store, and how many does this line read?");
  const CallReport outside = Call([&](float*, float*) {
    device_.findings = {Make(FindingKind::kOutOfBounds, "writes 4 bytes past the end")};
    Finding& finding = device_.findings[0];
    finding.space = MemorySpace::kGlobal;
    finding.access = Access::kWrite;
    finding.object = "turned";
    finding.object_bytes = 400;
    finding.offset_bytes = 480;
    finding.access_bytes = 4;
    finding.thread = {1, 0, 0};
    finding.where = {"a.cu", 21};
  });
  EXPECT_EQ(
      English(outside.next_step),
      "Out of bounds: in line 21, thread (1, 0) of block (0, 0) writes element 120 of `turned`, which has "
      "100 elements (the last is 99). Your code declares this array: how many elements must it hold in the "
      "test below?");
}

/// A thread that has no element left meets others where it works: what it does outside is the plainer cause.
TEST_F(ObserveCallTest, AThreadThatLeavesAnArrayIsNotToldOfItsRaceFirst) {
  const auto report_of = [this](Dim3 outside) {
    return Call([&](float*, float*) {
      device_.findings = {
          Make(FindingKind::kRace, say::race_in_block(say::writes(), say::shared_array("partial"),
                                                      say::another_thread(), say::reads())),
          Make(FindingKind::kOutOfBounds, "reads past the end")};
      for (Finding& finding : device_.findings) {
        finding.kernel = "reduce";
        finding.where = {"a.cu", 24};
        finding.space = MemorySpace::kShared;
        finding.object = say::shared_array("partial");
        finding.object_bytes = 1024;
        finding.access_bytes = 4;
        finding.thread = {128, 0, 0};
      }
      device_.findings[0].access = Access::kWrite;
      device_.findings[0].other_access = Access::kRead;
      device_.findings[0].offset_bytes = 512;
      device_.findings[1].access = Access::kRead;
      device_.findings[1].offset_bytes = 1024;
      device_.findings[1].thread = outside;
    });
  };
  const CallReport of_race = report_of({129, 0, 0}), of_outside = report_of({128, 0, 0});
  EXPECT_EQ(of_race.advised, 0u);
  EXPECT_TRUE(English(of_race.next_step).starts_with("Race in line 24: thread (128, 0) writes"))
      << of_race.next_step;
  EXPECT_EQ(English(of_race.next_step).find("one warp"), std::string::npos) << of_race.next_step;
  EXPECT_EQ(of_outside.advised, 1u);
  EXPECT_TRUE(English(of_outside.next_step).starts_with("Out of bounds: in line 24, thread (128, 0)"))
      << of_outside.next_step;
}

/// An index that leaves x comes to y by that, where other threads store.
TEST_F(ObserveCallTest, ALineThatLeavesItsArrayIsNotToldOfTheRaceThatItComesToFirst) {
  const auto first_of = [this](Access reads, int line) {
    return Call([&](float*, float*) {
             device_.findings = {
                 Make(FindingKind::kRace,
                      say::race_in_warp(say::reads(), "P", say::another_thread_of_warp(), say::writes())),
                 Make(FindingKind::kOutOfBounds, "reads past the end")};
             for (Finding& finding : device_.findings) {
               finding.kernel = "normalise";
               finding.where = {"a.cu", 36};
               finding.space = MemorySpace::kGlobal;
               finding.access = Access::kRead;
             }
             device_.findings[0].object = "P";
             device_.findings[0].other = SourceLine{"a.cu", 40};
             device_.findings[0].other_access = Access::kWrite;
             device_.findings[1].object = "M";
             device_.findings[1].access = reads;
             device_.findings[1].where.line = line;
             device_.findings[1].thread = {200, 0, 0};
           })
        .advised;
  };
  EXPECT_EQ(first_of(Access::kRead, 36), 1u);
  EXPECT_EQ(first_of(Access::kWrite, 40), 1u) << "the other side of the race";
  EXPECT_EQ(first_of(Access::kWrite, 36), 0u) << "the line's store, and not its load";
  EXPECT_EQ(first_of(Access::kRead, 37), 0u);
}

/// What a launch passes and no array has is told behind the element, too.
TEST_F(ObserveCallTest, BytesThatNoArrayHasAreToldBehindTheElement) {
  const CallReport report = Call([&](float*, float*) {
    device_.findings = {
        Make(FindingKind::kOutOfBounds,
             say::launch_gives_unused_bytes("writes 4 bytes past the end", say::Count(2048, "byte")))};
    Finding& finding = device_.findings[0];
    finding.where = {"a.cu", 24};
    finding.space = MemorySpace::kShared;
    finding.access = Access::kWrite;
    finding.object = say::shared_array("copy");
    finding.object_bytes = 1024;
    finding.offset_bytes = 1200;
    finding.access_bytes = 4;
  });
  EXPECT_NE(
      English(report.next_step).find("(the last is 255). The launch passes 2048 bytes of dynamic shared"),
      std::string::npos)
      << report.next_step;
}

/// No waiting helps where two blocks store one element.
TEST_F(ObserveCallTest, StoresOfTwoBlocksAreAskedAboutByTheirIndex) {
  const CallReport report = Call([&](float*, float*) {
    device_.findings = {Make(FindingKind::kRace, say::race_of_many_blocks("tiles"))};
    device_.findings[0].access = Access::kWrite;
    device_.findings[0].other_access = Access::kWrite;
    device_.findings[0].object = "tiles";
    device_.findings[0].where = {"a.cu", 25};
  });
  EXPECT_TRUE(English(report.next_step)
                  .starts_with("Race: threads of several blocks store to the same element of tiles"))
      << report.next_step;
  EXPECT_TRUE(English(report.next_step).ends_with("why do the others store there, too?"));
}

/// No barrier waits for a copy that runs on by itself.
TEST_F(ObserveCallTest, AnAsynchronousCopyIsAskedAboutByItsEnd) {
  const auto next_step = [this](const Message& message) {
    const CallReport report = Call([&](float*, float*) {
      device_.findings = {Make(FindingKind::kRace, message)};
      device_.findings[0].access = Access::kRead;
      device_.findings[0].object = "tiles";
    });
    return English(report.next_step);
  };
  EXPECT_TRUE(next_step(say::race_with_copy(say::reads(), "tiles"))
                  .starts_with("Race: an asynchronous copy is still writing"));
  EXPECT_TRUE(next_step("warp 0 writes").starts_with("Race: two threads use the same element of "));
}

/// Not every array has rows: a sum's input is none.
TEST_F(ObserveCallTest, VectorsAreAskedAboutByTheirAddress) {
  const CallReport report = Call([&](float*, float*) {
    device_.findings = {Make(FindingKind::kMisaligned, "reads 16 bytes at once")};
    device_.findings[0].object = "tiles";
    device_.findings[0].access_bytes = 16;
    device_.findings[0].where.line = 30;
  });
  EXPECT_EQ(English(report.next_step),
            "Misaligned access to tiles in line 30: an access of 16 bytes must begin at an address that is a "
            "multiple of 16 bytes. Write down, as a sum, at which byte of tiles it begins: which term is not "
            "always "
            "a multiple of 16?");
}

/// A null pointer, a variable of the thread's own, a refused call: there is no array to ask about.
TEST_F(ObserveCallTest, FindingsWithoutAnArrayHaveAQuestionOfTheirOwn) {
  const auto next_step = [this](FindingKind kind, const Message& message = "words") {
    return English(Call([&](float*, float*) {
                     device_.findings = {Make(kind, message)};
                     device_.findings[0].where.line = 30;
                   }).next_step);
  };
  EXPECT_TRUE(next_step(FindingKind::kOutOfBounds).starts_with("The address used in line 30 is invalid."));
  EXPECT_TRUE(next_step(FindingKind::kUninitialised)
                  .starts_with("Uninitialised: in line 30, a thread reads a variable or array of its own "));
  EXPECT_TRUE(next_step(FindingKind::kTrap).starts_with("The kernel stopped in line 30."));
  EXPECT_TRUE(
      next_step(FindingKind::kInvalidCall, "cudaFree").starts_with("A CUDA runtime call was refused"));
  EXPECT_TRUE(
      next_step(FindingKind::kDivergentBarrier, say::part_of_warp_at_matrix(16, 32, 0))
          .starts_with("Only some threads of a warp execute line 30, which takes all 32 of them together."));
}

TEST_F(ObserveCallTest, AWarningFailsNothing) {
  const CallReport report = Call([this](float*, float*) {
    device_.findings = {Make(FindingKind::kBarrierAfterExit, "words")};
    device_.findings[0].severity = Severity::kWarning;
  });
  EXPECT_EQ(report.verdict, Verdict::kPassed);
  EXPECT_EQ(report.findings.size(), 1u);
}

TEST_F(ObserveCallTest, TheWorstOfSeveralVerdictsIsReported) {
  const CallReport report = Call([this](float* m, float*) {
    m[0] = 9;
    device_.findings = {Make(FindingKind::kRace, "a race"), Make(FindingKind::kInvalidLaunch, "refused")};
  });
  EXPECT_EQ(report.verdict, Verdict::kInputModified);
}

TEST_F(ObserveCallTest, WhatAnEarlierCallLeftBehindIsNotThisOnes) {
  device_.findings = {Make(FindingKind::kRace, "old")};
  device_.launches.resize(3);
  const CallReport report = Call([](float*, float*) {});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.launches.empty());
}

TEST_F(ObserveCallTest, FindingsOfTheLoadCountAgainstEveryCall) {
  load_findings_ = {Make(FindingKind::kUnsupported, "tex.2d")};
  EXPECT_EQ(Call([](float*, float*) {}).verdict, Verdict::kFinding);
  const CallReport report = Call([](float*, float*) {});
  EXPECT_EQ(report.verdict, Verdict::kFinding);
  EXPECT_EQ(English(report.next_step),
            "The virtual GPU does not support this instruction or call. Write it another way, and please "
            "report the gap.");
}

TEST_F(ObserveCallTest, PrintedTextOfHostAndDeviceIsKept) {
  CallOutcome outcome = Passed();
  outcome.printed = "host\n";
  const CallReport report = Call([this](float*, float*) { device_.printed = "device\n"; }, outcome);
  EXPECT_EQ(report.printed, "host\ndevice\n");
}

TEST_F(ObserveCallTest, GuardBandsShowWritesOnBothSides) {
  fence_ = Fence::kGuardBands;
  const CallReport clean = Call([](float*, float* p) { p[0] = p[1] = p[2] = 1; });
  EXPECT_EQ(clean.verdict, Verdict::kPassed);
  for (const std::ptrdiff_t index : {std::ptrdiff_t{-1}, std::ptrdiff_t{3}, std::ptrdiff_t{900}}) {
    const CallReport report = Call([index](float*, float* p) { p[index] = 1; });
    EXPECT_EQ(report.verdict, Verdict::kFinding);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, FindingKind::kOutOfBounds);
    EXPECT_EQ(report.findings[0].object, "P");
    EXPECT_EQ(report.findings[0].offset_bytes, 4 * index);
  }
}

TEST_F(ObserveCallTest, AReadInAGuardBandSpoilsTheResult) {
  fence_ = Fence::kGuardBands;
  const CallReport report = Call([](float* m, float* p) { p[0] = 0 * m[3]; });
  EXPECT_NE(ValuesOf<float>(report.contents.at(1))[0], 0.0f);
}

/// A variable has no index that could be wrong.
TEST_F(ObserveCallTest, StoresToASharedVariableAreNoMatterOfAnIndex) {
  const auto step = [this](std::optional<SourceLine> other) {
    const CallReport report = Call([&](float*, float*) {
      const Message total = say::shared_variable("total");
      Finding race =
          Make(FindingKind::kRace, say::race_same_instruction(say::writes(), say::ElementOf(total),
                                                              say::other_thread({2, 0, 0}), say::writes()));
      race.object = total;
      race.space = MemorySpace::kShared;
      race.where = {"a.cu", 8};
      race.other = other;
      race.access = Access::kWrite;
      race.other_access = Access::kWrite;
      device_.findings = {race};
    });
    return report.next_step;
  };
  EXPECT_TRUE(say::stores_to_variable.Made(step(std::nullopt))) << step(std::nullopt);
  EXPECT_TRUE(say::stores_to_variable_in_lines.Made(step(SourceLine{"a.cu", 9})));
}

/// What a kernel reads before it is written goes wrong in the kernels after it.
TEST_F(ObserveCallTest, AReadInAnEarlierKernelComesBeforeARaceOfALaterOne) {
  const auto first = [this](const std::string& later) {
    const CallReport report = Call([&](float*, float*) {
      Finding unset =
          Make(FindingKind::kUninitialised, say::read_unwritten(say::Count(4, "byte"), "shared memory"));
      unset.kernel = "count";
      Finding race = Make(FindingKind::kRace, say::race_of_many_blocks("P"));
      race.kernel = later;
      device_.findings = {unset, race};
    });
    return report.findings.at(report.advised.value()).kind;
  };
  EXPECT_EQ(first("place"), FindingKind::kUninitialised);
  EXPECT_EQ(first("count"), FindingKind::kRace) << "in one kernel a race reads what is not written yet";
}

/// cudaMalloc gives null for 0 bytes, and so does an array without elements.
TEST_F(ObserveCallTest, AnArrayWithoutElementsIsNull) {
  CallRequest request;
  request.arrays = {InputArray("input", std::vector<float>{}, OtherElements::AnyValue()),
                    OutputArray<float>("output", 1)};
  request.call = [](std::span<const DevicePointer> pointers) {
    EXPECT_EQ(pointers[0], 0u);
    EXPECT_NE(pointers[1], 0u);
    return Passed();
  };
  const CallReport report = Observe(request);
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report.reason;
  EXPECT_TRUE(report.contents.at(0).empty());
}

TEST_F(ObserveCallTest, ADeviceThatRefusesTheArraysIsAFaultOfOurs) {
  CallRequest request;
  request.arrays = {InputArray("M", kInput, OtherElements::AnyValue()), OutputArray<float>("P", 3)};
  device_.is_full = true;
  request.call = [](std::span<const DevicePointer>) -> CallOutcome {
    ADD_FAILURE() << "nothing to call on";
    return {};
  };
  const CallReport report = Observe(request);
  EXPECT_EQ(report.verdict, Verdict::kGraderFault);
  EXPECT_EQ(English(report.reason), "the device refuses the test's arrays: Out of memory.");
  EXPECT_EQ(device_.live_allocations(), 0u);
}

TEST_F(ObserveCallTest, ADeviceThatAnswersNoMoreIsSaidSo) {
  const CallReport report = Call([this](float*, float*) {
    // As after a poisoned context: the arrays cannot be read.
    for (const auto& [address, label] : std::map(device_.labels)) ASSERT_TRUE(device_.Free(address).ok());
  });
  EXPECT_EQ(report.verdict, Verdict::kLaunchFailed);
  EXPECT_NE(English(report.reason).find("after the call, the device reports an error"), std::string::npos);
  EXPECT_TRUE(report.unclean);
  EXPECT_TRUE(report.contents.empty());
}

/// Its arrays stay in their places for the next one of their sizes; only what the call may change is read.
TEST_F(ObserveCallTest, ProbesKeepTheirArraysAndReadWhatMayChange) {
  std::vector<DeviceArray> arrays;
  std::vector<DevicePointer> first, second;
  const auto probe = [&](float m, std::vector<DevicePointer>& pointers) {
    CallRequest request;
    request.is_probe = true;
    CallArray p = InputArray("P", std::vector<float>{7, 8, 9}, OtherElements::AnyValue());
    p.role = CallArray::Role::kInOut;
    request.arrays = {InputArray("M", std::vector<float>{m, 0, 0}, OtherElements::AnyValue()), p};
    request.call = [&](std::span<const DevicePointer> at) {
      pointers.assign(at.begin(), at.end());
      Memory(at[1])[1] = 10 * Memory(at[0])[0];
      Memory(at[0])[2] = 5;
      return Passed();
    };
    return ObserveCall(*judge_, request, arrays);
  };
  const CallReport one = probe(1, first), two = probe(2, second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(one.verdict, Verdict::kPassed) << one.reason;
  EXPECT_TRUE(one.contents.at(0).empty());
  EXPECT_EQ(ValuesOf<float>(one.contents.at(1)), (std::vector<float>{7, 10, 9}));
  EXPECT_EQ(ValuesOf<float>(two.contents.at(1)), (std::vector<float>{7, 20, 9}));
  EXPECT_FALSE(device_.observation.arrays);

  CallRequest longer;
  longer.arrays = {InputArray("M", std::vector<float>(4, 1), OtherElements::AnyValue())};
  longer.call = [](std::span<const DevicePointer>) { return Passed(); };
  EXPECT_EQ(ObserveCall(*judge_, longer, arrays).verdict, Verdict::kPassed);
  EXPECT_EQ(device_.live_allocations(), 1u) << "the others are freed";
}

/// Longer than what one message holds, and than what goes without the staging buffer.
TEST_F(ObserveCallTest, ArraysOfAllLengthsAreFilledAndReadBack) {
  for (const std::size_t elements : {1UL, 4096UL, 4097UL, 16'384UL, 16'385UL, 70'000UL}) {
    std::vector<float> values(elements);
    for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<float>(i);
    CallRequest request;
    request.fence = Fence::kGuardBands;
    request.arrays = {InputArray("M", values, OtherElements::AnyValue()), OutputArray<float>("P", elements)};
    request.call = [&](std::span<const DevicePointer> at) {
      const std::size_t bytes = elements * sizeof(float);
      std::memcpy(device_.Memory(at[1], bytes), device_.Memory(at[0], bytes), bytes);
      return Passed();
    };
    const CallReport report = Observe(request);
    ASSERT_EQ(report.verdict, Verdict::kPassed) << elements << ": " << report.reason;
    EXPECT_EQ(ValuesOf<float>(report.contents.at(1)), values);
  }
  EXPECT_EQ(device_.live_allocations(), 0u);
}

template <class T>
std::vector<T> Other(const std::vector<T>& values, OtherElements other) {
  return ValuesOf<T>(OtherElementsOf(InputArray("in", values, std::move(other))));
}

/// A right kernel is called with what the contract allows: a histogram's bins, a gather's indices, keys in
/// order.
TEST(OtherElementsTest, AreOnesThatTheInputMightHold) {
  const std::vector<int> bins = {3, 0, 2, 1, 3};
  EXPECT_EQ(Other(bins, OtherElements::None()), bins);
  EXPECT_EQ(Other(bins, OtherElements::AnyOrder()), (std::vector<int>{3, 1, 2, 0, 3}));
  EXPECT_EQ(Other(bins, OtherElements::EachAlone()), (std::vector<int>{2, 0, 0, 3, 3}))
      << "other counts as well";
  EXPECT_EQ(Other(bins, OtherElements::These(std::vector<int>{0, 1, 1, 2, 3})),
            (std::vector<int>{0, 1, 1, 2, 3}));
  EXPECT_EQ(Other(std::vector<float>{1, -2, 4}, OtherElements::AnyValue()), (std::vector<float>{-4, 2, -1}));
  EXPECT_EQ(Other(std::vector<double>{1, -2}, OtherElements::AnyValue()), (std::vector<double>{2, -1}));
  EXPECT_EQ(Other(std::vector<int>{}, OtherElements::EachAlone()), std::vector<int>{});
}

template <class T = int>
std::string FaultOf(const std::vector<T>& values, OtherElements other, const std::vector<Must<T>>& must) {
  return English(InputArray("in", values, std::move(other), must).fault);
}

template <class T>
InputUse UseOf(const std::vector<std::vector<T>>& calls, const OtherElements& other) {
  InputUse use;
  for (const std::vector<T>& values : calls) use.Add(InputArray("in", values, other));
  return use;
}

TEST(InputUseTest, IntegersThatNeverFallAreToldWhereTheirOtherElementsDo) {
  const std::vector<std::vector<int>> sorted = {{}, {5}, {0, 2, 7}, {1, 1, 1}};
  EXPECT_TRUE(UseOf(sorted, OtherElements::EachAlone()).never_falls());
  EXPECT_FALSE(UseOf(sorted, OtherElements::EachAlone()).never_varies());
  EXPECT_FALSE(UseOf(sorted, OtherElements::None()).never_falls()) << "they stay as they are";
  EXPECT_TRUE(UseOf(sorted, OtherElements::AnyValue()).never_falls());
  EXPECT_FALSE(UseOf<int>({{0, 2, 7}, {3, 1}}, OtherElements::EachAlone()).never_falls());
  EXPECT_FALSE(UseOf<float>({{0, 2, 7}}, OtherElements::EachAlone()).never_falls());
  EXPECT_TRUE(UseOf<std::int64_t>({{0, 2, 7}}, OtherElements::AnyOrder()).never_falls());
}

TEST(InputUseTest, ItsChecksumIsOfAllElements) {
  const auto of = [](const std::vector<std::vector<float>>& calls, const std::vector<float>& others) {
    return UseOf<float>(calls, OtherElements::These(others)).checksum();
  };
  const std::uint64_t first = of({{1, 2}, {3, 4}}, {5, 6});
  EXPECT_EQ(of({{1, 2}, {3, 4}}, {5, 6}), first);
  EXPECT_NE(of({{1, 2}, {4, 3}}, {5, 6}), first);
  EXPECT_NE(of({{1, 2}, {3, 4}}, {5, 7}), first);
  EXPECT_NE(of({{1, 2}}, {5, 6}), first);
  struct Padded {
    char letter;
    int number;
  };
  const auto padded = [](int number) {
    return UseOf<Padded>({{{'a', number}}}, OtherElements::None()).checksum();
  };
  EXPECT_EQ(padded(1), padded(2)) << "the bytes between the two may be anything";
}

TEST(InputUseTest, IntegersOfAFewValuesAreToldWhereAnyIsAllowed) {
  const std::vector<std::uint8_t> cells = {0, 1, 1, 0, 0, 1, 0, 0};
  const std::vector<std::vector<std::uint8_t>> calls = {cells, {}, cells};
  EXPECT_EQ(UseOf(calls, OtherElements::AnyValue()).narrow_range(), "from 0 to 1");
  EXPECT_EQ(UseOf(calls, OtherElements::EachAlone()).narrow_range(), "") << "they keep the range";
  EXPECT_EQ(UseOf<int>({{0, 1}}, OtherElements::AnyValue()).narrow_range(), "") << "two may be so by chance";
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(UseOf<int>({numbers}, OtherElements::AnyValue()).narrow_range(), "");
  const std::vector<int> wide = {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};
  EXPECT_EQ(UseOf<int>({wide}, OtherElements::AnyValue()).narrow_range(), "");
  EXPECT_EQ(UseOf<std::int64_t>(
                {{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}},
                OtherElements::AnyValue())
                .narrow_range(),
            "");
  EXPECT_EQ(UseOf<float>({std::vector<float>(99, 1.0f)}, OtherElements::AnyValue()).narrow_range(), "");
}

TEST(InputUseTest, IntegersThatNeverVaryAreTold) {
  EXPECT_TRUE(UseOf<int>({{}, {3}, {1, 1, 1}, {4, 4}}, OtherElements::None()).never_varies());
  EXPECT_FALSE(UseOf<int>({{1, 1, 1}, {4, 3}}, OtherElements::None()).never_varies());
  EXPECT_FALSE(UseOf<int>({{}, {3}, {2}}, OtherElements::None()).never_varies()) << "it has one element";
  EXPECT_FALSE(UseOf<float>({{1, 1}}, OtherElements::None()).never_varies());
}

/// Row starts that any of them replace fall: a right kernel would run through them backwards.
TEST(InputRuleTest, OtherElementsThatBreakItAreTold) {
  const std::vector<int> starts = {0, 2, 2, 7};
  const std::vector<Must<int>> must = {Must<int>::BeFrom(0, 7), Must<int>::NotFall()};
  EXPECT_EQ(
      FaultOf(starts, OtherElements::EachAlone(), must),
      "the other elements that the suite allows for in (OtherElements) break its own rule \"no element is "
      "below the one before it\": in[2] is 0");
  EXPECT_EQ(FaultOf(starts, OtherElements::These(std::vector<int>{0, 5, 5, 7}), must), "");
  EXPECT_EQ(
      FaultOf(starts, OtherElements::These(std::vector<int>{0, 5, 5, 8}), must),
      "the other elements that the suite allows for in (OtherElements) break its own rule \"each element is "
      "from 0 to 7\": in[3] is 8");
  EXPECT_EQ(FaultOf(starts, OtherElements::None(), must), "") << "they stay as they are";
}

TEST(InputRuleTest, TheSuitesOwnElementsKeepIt) {
  EXPECT_EQ(FaultOf({0, 3, 1}, OtherElements::None(), {Must<int>::NotFall()}),
            "the suite's input in breaks the suite's own rule \"no element is below the one before it\": "
            "in[2] is 1");
  EXPECT_EQ(FaultOf({0, 3, 3}, OtherElements::None(), {Must<int>::NotFall()}), "");
  EXPECT_NE(FaultOf({0, 3, 3}, OtherElements::None(), {Must<int>::Rise()}).find("in[2] is 3"),
            std::string::npos);
  EXPECT_EQ(FaultOf({1, 0, 2}, OtherElements::AnyOrder(), {Must<int>::BePermutation()}), "");
  EXPECT_NE(FaultOf({1, 0, 1}, OtherElements::AnyOrder(), {Must<int>::BePermutation()}).find("in[2] is 1"),
            std::string::npos);
  EXPECT_NE(FaultOf({1, -1}, OtherElements::AnyOrder(), {Must<int>::BePermutation()}).find("in[1] is -1"),
            std::string::npos);
  EXPECT_NE(
      FaultOf<float>({1, std::nanf("")}, OtherElements::None(), {Must<float>::BeFrom(0, 2)}).find("in[1]"),
      std::string::npos);
  EXPECT_EQ(
      FaultOf<float>({1, 6.1f}, OtherElements::None(), {Must<float>::BeFrom(-5000, 0.5f)}),
      "the suite's input in breaks the suite's own rule \"each element is from -5000 to 0.5\": in[0] is 1");
}

/// A rule in words of the suite's own, and an element that is not there.
TEST(InputRuleTest, ASuiteMayHaveItsOwn) {
  const Must<int> even =
      Must<int>::Each("each element is even", [](int element) { return element % 2 == 0; });
  EXPECT_EQ(FaultOf({2, 4, 5}, OtherElements::None(), {even}),
            "the suite's input in breaks the suite's own rule \"each element is even\": in[2] is 5");
  const Must<int> any = {"there is an element", [](std::span<const int> elements) {
                           return elements.empty() ? std::optional<std::size_t>(0) : std::nullopt;
                         }};
  EXPECT_EQ(FaultOf({}, OtherElements::None(), {any}),
            "the suite's input in breaks the suite's own rule \"there is an element\": in has no element 0");
}

TEST(InputRuleTest, TheseAreAsManyAsTheInputHas) {
  EXPECT_EQ(FaultOf({1, 2, 3}, OtherElements::These(std::vector<int>{1}), {}),
            "OtherElements::These has 1 element for in, and the input has 3 elements");
  EXPECT_EQ(FaultOf({1, 2, 3}, OtherElements::These(std::vector<int>{1, 1, 1}), {}), "");
}

}  // namespace
}  // namespace warplings
