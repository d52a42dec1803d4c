// SPDX-License-Identifier: Apache-2.0
// Whole programs: CcTest in tests/cli/run_test.cc.
#include "grader/device/missing_waits.h"

#include <gtest/gtest.h>

#include <utility>

#include "grader/messages/findings.h"
#include "grader/messages/report.h"

namespace warplings::missing_waits_test {
namespace {

constexpr DevicePointer kInput = 0x3000'0000'0000, kOutput = kInput + 0x100000, kOther = kOutput + 0x100000;
constexpr StreamId kOne = 16, kTwo = 17;
constexpr EventId kEvent = 16;

class MissingWaitsTest : public testing::Test {
 protected:
  void SetUp() override {
    order_.Create(kOne, StreamFlags::kBlocking);
    order_.Create(kTwo, StreamFlags::kBlocking);
  }
  void Launch(StreamId stream, const std::string& kernel = "add",
              std::vector<DevicePointer> arrays = {kInput, kOutput}) {
    waits_.Note({say::in_kernel(kernel), kernel, order_.Issue(stream), std::move(arrays)}, order_);
  }
  std::size_t AtEnd() { return waits_.TakeAtEnd(order_).size(); }

  StreamOrder order_;
  MissingWaits waits_;
};

TEST_F(MissingWaitsTest, ToldWhenTheMemoryIsFreedAndOnce) {
  Launch(0);
  EXPECT_TRUE(waits_.TakeBeforeFree(kOther, order_).empty());
  const auto found = waits_.TakeBeforeFree(kInput, order_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::kMissingWait);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].kernel, "add");
  EXPECT_EQ(
      English(found[0].message),
      "nothing waited for kernel add before its memory was freed: what the host read of its result may be "
      "out of date");
  EXPECT_TRUE(waits_.TakeBeforeFree(kOutput, order_).empty());
  EXPECT_EQ(AtEnd(), 0u);
}

TEST_F(MissingWaitsTest, WhetherThereWasAnythingToWaitFor) {
  EXPECT_FALSE(waits_.Noted());
  const StreamOrder::Issued copy = order_.Issue(0);
  order_.AwaitAll();
  waits_.Note({say::copy_from_device(), "", copy, {kOutput}}, order_);
  EXPECT_FALSE(waits_.Noted()) << "the call had waited itself";
  Launch(kOne);
  order_.AwaitAll();
  EXPECT_EQ(AtEnd(), 0u);
  EXPECT_TRUE(waits_.Noted());
}

TEST_F(MissingWaitsTest, ToldAtTheEndOfWhatWasNeverFreed) {
  Launch(kOne);
  const auto found = waits_.TakeAtEnd(order_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(English(found[0].message),
            "nothing waited for kernel add before the program ended: what the host read of its result may be "
            "out of date");
}

TEST_F(MissingWaitsTest, EachCallThatWaitsForTheWorkSettlesIt) {
  Launch(kOne);
  order_.AwaitStream(kOne);
  EXPECT_EQ(AtEnd(), 0u);

  Launch(kOne);
  order_.AwaitAll();
  EXPECT_EQ(AtEnd(), 0u);

  Launch(kOne);
  order_.Record(kEvent, kOne);
  order_.AwaitEvent(kEvent);
  EXPECT_EQ(AtEnd(), 0u);

  Launch(kOne);
  order_.AwaitStream(0);  // The default stream comes after it.
  EXPECT_EQ(AtEnd(), 0u);

  Launch(kOne);
  order_.Record(kEvent, kOne);
  order_.Wait(kTwo, kEvent);
  order_.AwaitStream(kTwo);
  EXPECT_EQ(AtEnd(), 0u);
}

TEST_F(MissingWaitsTest, OneThatWaitsForSomethingElseDoesNot) {
  order_.Record(kEvent, kOne);
  Launch(kOne);
  order_.AwaitStream(kTwo);
  order_.AwaitEvent(kEvent);
  EXPECT_EQ(AtEnd(), 1u);
}

TEST_F(MissingWaitsTest, APassOfALoopTakesThePlaceOfTheOneBefore) {
  for (int pass = 0; pass < 1000; ++pass) Launch(kOne);
  Launch(kOne, "scale");
  Launch(kTwo);
  EXPECT_EQ(AtEnd(), 3u);
}

TEST_F(MissingWaitsTest, ATimeIsTooEarlyUntilTheHostHasWaitedForItsEvent) {
  order_.Record(kEvent, 0);
  EXPECT_FALSE(waits_.IsTimeTooEarly(kEvent, order_)) << "no work before it";
  static_cast<void>(order_.Issue(kOne));
  order_.Record(kEvent, kOne);
  order_.AwaitStream(kTwo);
  EXPECT_TRUE(waits_.IsTimeTooEarly(kEvent, order_));
  const auto found = waits_.TakeAtEnd(order_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(English(found[0].message),
            "cudaEventElapsedTime returned cudaErrorNotReady and stored no time: nothing had waited for its "
            "second event");
  EXPECT_EQ(AtEnd(), 0u);
  EXPECT_TRUE(waits_.IsTimeTooEarly(kEvent, order_));
  order_.AwaitStream(kOne);
  EXPECT_FALSE(waits_.IsTimeTooEarly(kEvent, order_));
  EXPECT_EQ(AtEnd(), 0u) << "it has waited then";
}

TEST_F(MissingWaitsTest, WhoAsksForATimeUntilItIsThereIsPolling) {
  for (int pass = 0; pass < 2; ++pass) {
    static_cast<void>(order_.Issue(0));
    order_.Record(kEvent, 0);
    waits_.NoteRecord(kEvent);
    EXPECT_TRUE(waits_.IsTimeTooEarly(kEvent, order_));
    EXPECT_FALSE(waits_.IsTimeTooEarly(kEvent, order_));
  }
  EXPECT_EQ(AtEnd(), 0u);
}

TEST_F(MissingWaitsTest, ALoopThatNeverWaitsGetsNoTimeInAnyPass) {
  for (int pass = 0; pass < 3; ++pass) {
    static_cast<void>(order_.Issue(0));
    order_.Record(kEvent, 0);
    waits_.NoteRecord(kEvent);
    EXPECT_TRUE(waits_.IsTimeTooEarly(kEvent, order_));
  }
  EXPECT_EQ(AtEnd(), 1u);
}

TEST_F(MissingWaitsTest, AHostFunctionMayTellThatTheEventIsReached) {
  static_cast<void>(order_.Issue(0));
  order_.Record(kEvent, 0);
  waits_.Forget();
  EXPECT_FALSE(waits_.IsTimeTooEarly(kEvent, order_));
  EXPECT_EQ(AtEnd(), 0u);
}

TEST_F(MissingWaitsTest, AreOfABoundedNumber) {
  for (int kernel = 0; kernel < 1000; ++kernel) Launch(0, "k" + std::to_string(kernel));
  EXPECT_LE(AtEnd(), 256u);
}

}  // namespace
}  // namespace warplings::missing_waits_test
