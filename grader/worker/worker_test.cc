// SPDX-License-Identifier: Apache-2.0
#include "grader/worker/worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

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
    EXPECT_NE(outcome.reason.find(reason), std::string::npos) << outcome.reason;
    EXPECT_FALSE(worker->alive());
    EXPECT_EQ(outcome.reason.find('\n'), std::string::npos);
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

TEST_F(WorkerTest, WhatNeverReturnsIsStopped) {
  Expect(6, Verdict::kTimeLimit, "did not return within 1.5 s");
  Expect(17, Verdict::kTimeLimit, "did not return within 1.5 s");
}

TEST_F(WorkerTest, WhatOnlyComputesIsStoppedByItsProcessorTime) {
  options_.processor_time_limit = milliseconds(300);
  Expect(17, Verdict::kTimeLimit, "did not return within 0.3 s of processor time");
  Expect(6, Verdict::kTimeLimit, "did not return within 1.5 s.");  // It waits, and uses up none.
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

TEST_F(WorkerTest, AFloodIsStopped) {
  Expect(7, Verdict::kOutputLimit, "printed more than 64 KiB");
}

TEST_F(WorkerTest, GarbageOnTheControlSocketIsAViolation) {
  Expect(8, Verdict::kProtocolViolation, "sent bytes");
  Expect(10, Verdict::kProtocolViolation, "nobody made");
  Expect(11, Verdict::kProtocolViolation, "nobody made");
  Expect(12, Verdict::kProtocolViolation, "sent bytes");
  Expect(13, Verdict::kProtocolViolation, "connection");
  Expect(14, Verdict::kProtocolViolation, "connection");
  Expect(20, Verdict::kProtocolViolation, "nobody made");
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
  EXPECT_NE(outcome.reason.find("arguments"), std::string::npos);
}

TEST_F(WorkerTest, ACrashBeforeMainIsTheFirstCallsVerdict) {
  auto worker = Start(CRASHING_WORKER);
  ASSERT_NE(worker, nullptr);
  EXPECT_FALSE(worker->alive());
  CallOutcome outcome = Call(*worker, 0);
  EXPECT_EQ(outcome.verdict, Verdict::kCrashed);
  EXPECT_NE(outcome.reason.find("SIGSEGV"), std::string::npos);
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
  EXPECT_NE(worker.error().message.find("no more clients"), std::string::npos);
}

}  // namespace
}  // namespace warplings
