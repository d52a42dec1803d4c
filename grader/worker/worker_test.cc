// SPDX-License-Identifier: Apache-2.0
#include "grader/worker/worker.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

#include "grader/messages/host_code.h"
#include "grader/worker/testdata/values.h"

namespace warplings {
namespace {

using std::chrono::milliseconds;

/// Keeps the device's end of the connection open without ever answering.
class WorkerTest : public testing::Test {
 protected:
  std::unique_ptr<Worker> Start(const char* program = VALUES_WORKER) {
    options_.program = program;
    options_.call_time_limit = milliseconds(1500);
    auto worker = Worker::Start(options_, [this](int fd) -> CudaResult<ClientId> {
      device_.reset(dup(fd));
      return ClientId{7};
    });
    EXPECT_TRUE(worker) << worker.error().message;
    return worker ? std::move(*worker) : nullptr;
  }
  static CallOutcome Call(Worker& worker, int what) {
    return worker.Call(DevicePointer{0}, what, 1.0, Shape{2, 3}, Order::kRows, false);
  }
  /// The verdict for a behaviour; the worker must be dead afterwards, and a new one must work.
  void Expect(int what, Verdict verdict, const std::string& reason) {
    auto worker = Start();
    ASSERT_NE(worker, nullptr);
    CallOutcome outcome = Call(*worker, what);
    EXPECT_EQ(VerdictName(outcome.verdict), VerdictName(verdict)) << outcome.reason;
    EXPECT_NE(English(outcome.reason).find(reason), std::string::npos) << outcome.reason;
    EXPECT_FALSE(worker->alive());
    EXPECT_EQ(English(outcome.reason).find('\n'), std::string::npos);
  }

  WorkerOptions options_;
  UniqueFd device_;
};

TEST_F(WorkerTest, CarriesValuesBothWays) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(worker->client(), 7u);
  CallOutcome outcome = worker->Call(DevicePointer{0x300000000000}, 1, 41.5, Shape{2, 3}, Order::kRows, true);
  ASSERT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason;
  auto shape = outcome.ResultAs<Shape>();
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->rows, 0x3000);
  EXPECT_EQ(shape->columns, 42);
  EXPECT_EQ(outcome.ResultAs<char>(), std::nullopt);
  outcome = worker->Call(DevicePointer{8}, 1, 0.0, Shape{2, 3}, Order::kColumns, true);
  shape = outcome.ResultAs<Shape>();
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->rows, 3);
  EXPECT_TRUE(worker->alive());
}

TEST_F(WorkerTest, WhatIsPrintedBelongsToItsCall) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(Call(*worker, 1).printed, "hello\n");
  EXPECT_EQ(Call(*worker, 0).printed, "");
  EXPECT_EQ(Call(*worker, 1).printed, "hello\n");
}

TEST_F(WorkerTest, ExitIsSeen) {
  Expect(2, Verdict::kExited, "exit status 0");
  Expect(3, Verdict::kExited, "exit status 3");
}

TEST_F(WorkerTest, CrashesAreNamed) {
  Expect(4, Verdict::kCrashed, "a segmentation fault (SIGSEGV)");
  Expect(5, Verdict::kCrashed, "SIGABRT");
  Expect(16, Verdict::kCrashed, "SIGABRT");
}

TEST_F(WorkerTest, ASegmentationFaultIsToldByItsAddress) {
  const std::pair<int, std::pair<const char*, const char*>> cases[] = {
      {4, {"(SIGSEGV).", "a pointer that is null"}},
      {22, {"(SIGSEGV): it uses a null pointer.", "which line should have set it"}},
      {23, {"it uses address 0x190, which is a null pointer plus", "which line should have set it"}},
      {24, {"it uses an address of device memory.", "copy it with cudaMemcpy"}},
      {25, {"its stack is full.", "recursion that never ends"}},
      {26, {"its stack is full.", "large local arrays"}},
      {27, {"read-only memory", "String literals"}},
      {28, {"a pointer whose value is not a valid address.", "was never set"}},
      {29, {", where it has no memory.", "an index past the end"}},
  };
  for (const auto& [what, words] : cases) {
    auto worker = Start();
    ASSERT_NE(worker, nullptr);
    const CallOutcome outcome = Call(*worker, what);
    EXPECT_EQ(VerdictName(outcome.verdict), "crashed") << what;
    EXPECT_NE(English(outcome.reason).find(words.first), std::string::npos) << what << ": " << outcome.reason;
    EXPECT_NE(English(outcome.next_step).find(words.second), std::string::npos)
        << what << ": " << outcome.next_step;
  }
}

TEST_F(WorkerTest, WhatToLookForAfterAnotherSignal) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  const CallOutcome outcome = Call(*worker, 34);
  EXPECT_EQ(VerdictName(outcome.verdict), "crashed");
  EXPECT_TRUE(say::look_for_division_by_zero.Made(outcome.next_step)) << outcome.next_step;
}

TEST_F(WorkerTest, AForgedFaultDecidesNothing) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(VerdictName(Call(*worker, 30).verdict), "passed");
  Expect(31, Verdict::kProtocolViolation, "no call was waiting for");
  Expect(32, Verdict::kExited, "exit status 0");
}

TEST_F(WorkerTest, WhatNeverReturnsIsStopped) {
  Expect(6, Verdict::kTimeLimit, "did not return within 1.5 s");
  Expect(17, Verdict::kTimeLimit, "did not return within 1.5 s");
}

TEST_F(WorkerTest, WhatOnlyComputesIsStoppedByItsProcessorTime) {
  options_.processor_time_limit = milliseconds(300);
  Expect(17, Verdict::kTimeLimit, "did not return within 0.3 s of processor time");
  Expect(6, Verdict::kTimeLimit, "did not return within 1.5 s.");  // It waits, and uses up none.
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  const Message step = Call(*worker, 17).next_step;
  EXPECT_TRUE(say::look_for_endless_host_loop.Made(step)) << step;
}

/// Keeps the one processor that the test and all that it starts may use busy with `count` loops.
class OneBusyProcessor {
 public:
  explicit OneBusyProcessor(int count) {
    CPU_ZERO(&before_);
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
      if (CPU_ISSET(i, &before_)) CPU_SET(i, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([](const std::stop_token& stop) {
        while (!stop.stop_requested()) asm volatile("");
      });
    }
  }
  ~OneBusyProcessor() {
    threads_.clear();
    sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  std::vector<std::jthread> threads_;
};

TEST_F(WorkerTest, ABusyMachineDoesNotMakeACallMissItsLimit) {
  const OneBusyProcessor busy(4);
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  // 1.3 s of computing take 2 to 7 s here.
  const auto start = std::chrono::steady_clock::now();
  const CallOutcome outcome = Call(*worker, 35);
  EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason;
  EXPECT_GT(std::chrono::steady_clock::now() - start, options_.call_time_limit);
  // What waits for ever is stopped none the later.
  EXPECT_EQ(Call(*worker, 6).verdict, Verdict::kTimeLimit);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(20'000));
}

TEST_F(WorkerTest, ProcessorTimeIsCountedForEachCallAnew) {
  options_.processor_time_limit = milliseconds(300);
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  for (int call = 0; call < 4; ++call) {
    const CallOutcome outcome = Call(*worker, 21);
    EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason;
  }
}

/// Where the reading before a call failed, the call was charged with all that earlier ones had used.
TEST(CallProcessorTime, EarlierCallsAreNotCharged) {
  using std::chrono::nanoseconds;
  CallProcessorTime usual(nanoseconds(700));
  EXPECT_EQ(usual.Used(nanoseconds(750)), nanoseconds(50));
  EXPECT_EQ(usual.Used(std::nullopt), std::nullopt);
  EXPECT_EQ(usual.Used(nanoseconds(900)), nanoseconds(200));
  CallProcessorTime failed(std::nullopt);
  EXPECT_EQ(failed.Used(std::nullopt), std::nullopt);
  EXPECT_EQ(failed.Used(nanoseconds(700)), nanoseconds(0));
  EXPECT_EQ(failed.Used(nanoseconds(760)), nanoseconds(60));
  CallProcessorTime start(nanoseconds(0));
  EXPECT_EQ(start.Used(nanoseconds(400)), nanoseconds(400)) << "a start has no calls before it";
}

/// Each call alone is far below its own limits.
TEST_F(WorkerTest, NapsOfAllCallsAddUp) {
  options_.sum_limit.idle = milliseconds(200);
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  CallOutcome outcome;
  int calls = 0;
  while (outcome.verdict == Verdict::kPassed && calls < 40) {
    outcome = Call(*worker, 33);
    ++calls;
  }
  EXPECT_EQ(VerdictName(outcome.verdict), "time_limit");
  EXPECT_NE(English(outcome.reason).find("the host code waited more than 0.2 s"), std::string::npos)
      << outcome.reason;
  EXPECT_GT(calls, 3);
  EXPECT_FALSE(worker->alive());
  // What workers before have slept counts, too: a submission must not start anew by a crash.
  options_.spent = worker->time();
  worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(VerdictName(Call(*worker, 33).verdict), "time_limit");
}

TEST_F(WorkerTest, ComputingOfAllCallsAddsUp) {
  options_.sum_limit.processor = milliseconds(350);
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(VerdictName(Call(*worker, 21).verdict), "passed");
  EXPECT_EQ(VerdictName(Call(*worker, 21).verdict), "passed");
  const CallOutcome outcome = Call(*worker, 21);
  EXPECT_EQ(VerdictName(outcome.verdict), "time_limit");
  EXPECT_NE(English(outcome.reason).find("s of processor time in all calls together"), std::string::npos)
      << outcome.reason;
}

TEST_F(WorkerTest, WhoWaitsForTheDeviceOrComputesDoesNotSleep) {
  options_.sum_limit.idle = milliseconds(100);
  // Two threads: one sleeps, one computes.
  const pid_t device = fork();
  if (device == 0) {
    std::thread([] { sleep(60); }).detach();
    for (;;) asm volatile("");
  }
  options_.device_process = device;
  auto worker = Start();
  for (int i = 0; worker && i < 6; ++i) EXPECT_EQ(VerdictName(Call(*worker, 33).verdict), "passed") << i;
  kill(device, SIGKILL);
  waitpid(device, nullptr, 0);
  options_.device_process = -1;
  worker = Start();
  for (int i = 0; worker && i < 4; ++i) EXPECT_EQ(VerdictName(Call(*worker, 21).verdict), "passed") << i;
  // A device that sleeps, too.
  const pid_t asleep = fork();
  if (asleep == 0) {
    for (;;) sleep(60);
  }
  options_.device_process = asleep;
  worker = Start();
  CallOutcome outcome;
  for (int i = 0; worker && i < 20 && outcome.verdict == Verdict::kPassed; ++i) outcome = Call(*worker, 33);
  EXPECT_EQ(VerdictName(outcome.verdict), "time_limit");
  kill(asleep, SIGKILL);
  waitpid(asleep, nullptr, 0);
}

TEST_F(WorkerTest, AFloodIsStopped) {
  Expect(7, Verdict::kOutputLimit, "printed more than 64 KiB");
}

TEST_F(WorkerTest, GarbageOnTheControlSocketIsAViolation) {
  Expect(8, Verdict::kProtocolViolation, "sent the grader data");
  Expect(10, Verdict::kProtocolViolation, "no call was waiting for");
  Expect(11, Verdict::kProtocolViolation, "no call was waiting for");
  Expect(12, Verdict::kProtocolViolation, "sent the grader data");
  Expect(13, Verdict::kProtocolViolation, "connection");
  Expect(14, Verdict::kProtocolViolation, "connection");
  Expect(20, Verdict::kProtocolViolation, "no call was waiting for");
}

TEST_F(WorkerTest, AnAnswerInAdvanceSpoilsTheNextCall) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(Call(*worker, 9).verdict, Verdict::kPassed);  // It returned, as it claimed.
  CallOutcome outcome = Call(*worker, 0);
  EXPECT_EQ(outcome.verdict, Verdict::kProtocolViolation);
  EXPECT_FALSE(worker->alive());
}

TEST_F(WorkerTest, AClosedConnectionIsNoSuccess) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  CallOutcome outcome = Call(*worker, 18);
  EXPECT_NE(outcome.verdict, Verdict::kPassed);
  EXPECT_NE(outcome.verdict, Verdict::kGraderFault);
}

TEST_F(WorkerTest, MemoryHasALimit) {
  options_.memory_limit = 256u << 20;
  Expect(15, Verdict::kMemoryLimit, "more memory than the 256 MiB");
  Expect(19, Verdict::kMemoryLimit, "killed");
}

TEST_F(WorkerTest, WrongArgumentsAreRefused) {
  auto worker = Start();
  ASSERT_NE(worker, nullptr);
  CallOutcome outcome = worker->Call(1, 2);
  EXPECT_EQ(outcome.verdict, Verdict::kProtocolViolation);
  EXPECT_EQ(English(outcome.reason),
            "The suite calls the function with 2 arguments; its contract has 6 parameters.");
  worker = Start();
  ASSERT_NE(worker, nullptr);
  outcome = worker->Call(DevicePointer{0}, 1, 1, Shape{2, 3}, Order::kRows, false);
  EXPECT_EQ(outcome.verdict, Verdict::kProtocolViolation);
  EXPECT_EQ(English(outcome.reason),
            "The suite's argument 3 has 4 bytes; the contract's parameter has 8 bytes.");
}

TEST_F(WorkerTest, ACrashBeforeMainIsTheFirstCallsVerdict) {
  auto worker = Start(CRASHING_WORKER);
  ASSERT_NE(worker, nullptr);
  EXPECT_FALSE(worker->alive());
  CallOutcome outcome = Call(*worker, 0);
  EXPECT_EQ(outcome.verdict, Verdict::kCrashed);
  EXPECT_NE(English(outcome.reason).find("SIGSEGV"), std::string::npos);
}

TEST_F(WorkerTest, AProgramThatIsNotThereIsTheGradersFault) {
  options_.program = "/no/such/worker";
  auto worker = Worker::Start(options_, [](int) -> CudaResult<ClientId> { return ClientId{1}; });
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().blame, Blame::kGrader);
}

TEST_F(WorkerTest, ADeviceThatRefusesIsTheGradersFault) {
  options_.program = VALUES_WORKER;
  auto worker = Worker::Start(options_, [](int) -> CudaResult<ClientId> {
    return CudaFault{CudaError::kUnknown, "no more clients"};
  });
  ASSERT_FALSE(worker);
  EXPECT_NE(English(worker.error().message).find("no more clients"), std::string::npos);
}

}  // namespace
}  // namespace warplings
