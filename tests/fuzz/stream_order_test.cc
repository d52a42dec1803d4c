// SPDX-License-Identifier: Apache-2.0
// Tests that the model guarantees what CUDA guarantees, and no more.
#include "tests/fuzz/stream_order.h"

#include <gtest/gtest.h>

namespace warplings::fuzz {
namespace {

constexpr bool kBlocking = true, kNonBlocking = false;

class StreamOrderTest : public testing::Test {
 protected:
  /// Whether `work` is over when what is asked of the stream next begins.
  bool IsBefore(std::size_t work, StreamOrder::Number stream) const { return order_.Before(stream)[work]; }

  StreamOrder order_;
  const StreamOrder::Number a_ = order_.AddStream(kNonBlocking), b_ = order_.AddStream(kNonBlocking),
                            blocking_ = order_.AddStream(kBlocking), event_ = order_.AddEvent();
};

TEST_F(StreamOrderTest, WorkOfAStreamIsInOrderAndOfTwoIsNot) {
  const std::size_t work = order_.Ask(a_);
  EXPECT_TRUE(IsBefore(work, a_));
  EXPECT_FALSE(IsBefore(work, b_));
  EXPECT_FALSE(IsBefore(work, StreamOrder::kLegacy));
}

TEST_F(StreamOrderTest, TheLegacyStreamAndBlockingOnesWaitForEachOther) {
  const std::size_t first = order_.Ask(blocking_);
  EXPECT_TRUE(IsBefore(first, StreamOrder::kLegacy));
  const std::size_t second = order_.Ask(StreamOrder::kLegacy);
  EXPECT_TRUE(IsBefore(second, blocking_));
  EXPECT_FALSE(IsBefore(second, a_));
}

TEST_F(StreamOrderTest, BlockingStreamsDoNotWaitForEachOther) {
  const StreamOrder::Number other = order_.AddStream(kBlocking);
  const std::size_t work = order_.Ask(blocking_);
  EXPECT_FALSE(IsBefore(work, other));
  order_.Ask(StreamOrder::kLegacy);
  EXPECT_TRUE(IsBefore(work, other));
}

TEST_F(StreamOrderTest, AWaitIsForWhatTheEventHeldThen) {
  const std::size_t first = order_.Ask(a_);
  order_.Record(event_, a_);
  const std::size_t later = order_.Ask(a_);
  order_.Wait(b_, event_);
  order_.Record(event_, blocking_);
  EXPECT_TRUE(IsBefore(first, b_));
  EXPECT_FALSE(IsBefore(later, b_));
}

TEST_F(StreamOrderTest, AnEventThatWasNeverRecordedHoldsNothing) {
  const std::size_t work = order_.Ask(a_);
  order_.Wait(b_, event_);
  EXPECT_FALSE(IsBefore(work, b_));
  EXPECT_TRUE(order_.EventMustBeComplete(event_));
}

TEST_F(StreamOrderTest, TheLegacyStreamsWaitIsEachBlockingStreams) {
  const std::size_t work = order_.Ask(a_);
  order_.Record(event_, a_);
  order_.Wait(StreamOrder::kLegacy, event_);
  EXPECT_TRUE(IsBefore(work, blocking_));
}

TEST_F(StreamOrderTest, AWaitIsOpenUntilItsStreamIsSynchronised) {
  order_.Wait(b_, event_);
  EXPECT_FALSE(order_.StreamMustBeComplete(b_));
  order_.StreamIsComplete(b_);
  EXPECT_TRUE(order_.StreamMustBeComplete(b_));
}

TEST_F(StreamOrderTest, WhatTheHostHasSeenIsBeforeEverything) {
  const std::size_t work = order_.Ask(a_);
  EXPECT_FALSE(order_.StreamMustBeComplete(a_));
  order_.StreamIsComplete(a_);
  EXPECT_TRUE(order_.StreamMustBeComplete(a_));
  EXPECT_TRUE(IsBefore(work, b_));
}

TEST_F(StreamOrderTest, WorkOfADestroyedStreamIsOpenUntilAllIsSynchronised) {
  const std::size_t work = order_.Ask(blocking_);
  order_.DestroyStream(blocking_);
  EXPECT_FALSE(IsBefore(work, StreamOrder::kLegacy));
  order_.AllIsComplete();
  EXPECT_TRUE(IsBefore(work, StreamOrder::kLegacy));
}

TEST_F(StreamOrderTest, EventsAreInOrderWhereTheirRecordingsAre) {
  const StreamOrder::Number other = order_.AddEvent();
  order_.Record(event_, a_);
  order_.Record(other, a_);
  EXPECT_TRUE(order_.IsBefore(event_, other));
  EXPECT_FALSE(order_.IsBefore(other, event_));
  order_.Record(other, b_);
  EXPECT_FALSE(order_.IsBefore(event_, other));
}

}  // namespace
}  // namespace warplings::fuzz
