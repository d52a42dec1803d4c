// SPDX-License-Identifier: Apache-2.0
// The rules are those of the CUDA Runtime API's reference, "Stream synchronization behavior" and "API
// synchronization behavior". That a valid program gives no finding, tests/fuzz/stream_order_entry.cc tests
// with programs at random; here are the ones that must give one.
#include "grader/device/stream_order.h"

#include <gtest/gtest.h>

#include "grader/device/byte_ranges.h"

namespace warplings::stream_order_test {
namespace {

class StreamOrderTest : public testing::Test {
 protected:
  StreamId Blocking() { return Add(StreamFlags::kBlocking); }
  StreamId NonBlocking() { return Add(StreamFlags::kNonBlocking); }
  StreamId Add(StreamFlags flags) {
    order_.Create(++last_, flags);
    return last_;
  }
  /// An operation of `first`, then one of `second`: is the second after the first?
  bool AreOrdered(StreamId first, StreamId second) {
    const auto one = order_.Issue(first);
    return order_.Issue(second).IsAfter(one);
  }

  StreamOrder order_;
  StreamId last_ = 15;
};

TEST_F(StreamOrderTest, MattersFromTheSecondStreamOn) {
  EXPECT_FALSE(order_.matters());
  Blocking();
  EXPECT_FALSE(order_.matters()) << "it waits for the default stream, and that for it";
  Blocking();
  EXPECT_TRUE(order_.matters());
}

TEST_F(StreamOrderTest, MattersWithOneNonBlockingStream) {
  NonBlocking();
  EXPECT_TRUE(order_.matters());
}

TEST_F(StreamOrderTest, AStreamIsInOrder) {
  const StreamId stream = NonBlocking();
  EXPECT_TRUE(AreOrdered(stream, stream));
  EXPECT_TRUE(AreOrdered(0, 0));
}

TEST_F(StreamOrderTest, StreamsAreUnordered) {
  EXPECT_FALSE(AreOrdered(Blocking(), Blocking()));
  EXPECT_FALSE(AreOrdered(NonBlocking(), NonBlocking()));
  EXPECT_FALSE(AreOrdered(NonBlocking(), Blocking()));
}

TEST_F(StreamOrderTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const StreamId blocking = Blocking(), other = Blocking(), free = NonBlocking();
  EXPECT_TRUE(AreOrdered(blocking, 0));
  EXPECT_TRUE(AreOrdered(0, other));
  EXPECT_FALSE(AreOrdered(free, 0));
  EXPECT_FALSE(AreOrdered(0, free));
}

TEST_F(StreamOrderTest, WorkOfTheDefaultStreamLiesBetweenThatOfBlockingStreams) {
  const StreamId first = Blocking(), second = Blocking();
  const auto before = order_.Issue(first);
  order_.Issue(0);
  EXPECT_TRUE(order_.Issue(second).IsAfter(before));
}

TEST_F(StreamOrderTest, AnEventOrdersWhatWasIssuedBeforeItWasRecorded) {
  const StreamId first = Blocking(), second = NonBlocking();
  const auto before = order_.Issue(first);
  order_.Record(1, first);
  const auto behind = order_.Issue(first);
  order_.Wait(second, 1);
  const auto waited = order_.Issue(second);
  EXPECT_TRUE(waited.IsAfter(before));
  EXPECT_FALSE(waited.IsAfter(behind));
}

TEST_F(StreamOrderTest, AWaitIsForTheLastRecordingBeforeIt) {
  const StreamId first = Blocking(), second = Blocking();
  order_.Wait(second, 1);
  EXPECT_FALSE(AreOrdered(first, second)) << "an event that was never recorded";
  order_.Record(1, first);
  order_.Wait(second, 1);
  const auto late = order_.Issue(first);
  order_.Record(1, first);
  EXPECT_FALSE(order_.Issue(second).IsAfter(late));
}

TEST_F(StreamOrderTest, OrderGoesThroughOtherStreams) {
  const StreamId first = NonBlocking(), second = NonBlocking(), third = NonBlocking();
  const auto before = order_.Issue(first);
  order_.Record(1, first);
  order_.Wait(second, 1);
  order_.Record(2, second);
  order_.Wait(third, 2);
  EXPECT_TRUE(order_.Issue(third).IsAfter(before));
}

TEST_F(StreamOrderTest, WhatTheHostHasWaitedForIsBeforeAllThatItIssues) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  const auto one = order_.Issue(first);
  order_.AwaitStream(first);
  EXPECT_TRUE(order_.Issue(second).IsAfter(one));
  const auto two = order_.Issue(first);
  order_.Record(1, first);
  const auto three = order_.Issue(first);
  order_.AwaitEvent(1);
  EXPECT_TRUE(order_.Issue(second).IsAfter(two));
  EXPECT_FALSE(order_.Issue(second).IsAfter(three));
  order_.AwaitAll();
  EXPECT_TRUE(order_.Issue(second).IsAfter(three));
}

TEST_F(StreamOrderTest, WaitingForOneStreamIsNotWaitingForTheOther) {
  const StreamId first = Blocking(), second = Blocking();
  const auto one = order_.Issue(first);
  order_.AwaitStream(second);
  EXPECT_FALSE(order_.Issue(second).IsAfter(one));
}

TEST_F(StreamOrderTest, AStreamThatComesInAnothersPlaceDoesNotHaveItsOperations) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  const auto unfinished = order_.Issue(first);
  order_.Destroy(first);
  EXPECT_FALSE(order_.Issue(NonBlocking()).IsAfter(unfinished)) << "nobody has waited for it";
  EXPECT_FALSE(order_.Issue(second).IsAfter(unfinished));
  order_.AwaitAll();
  const StreamId reused = NonBlocking();
  EXPECT_EQ(order_.Issue(reused).timeline, 1u);
  EXPECT_FALSE(AreOrdered(reused, second));
}

TEST_F(StreamOrderTest, DevicesAreUnorderedUntilTheHostWaitsForOneOrAnEventOfIt) {
  order_.AddDevice();
  EXPECT_FALSE(order_.matters()) << "neither reaches the other's memory";
  order_.JoinDevices();
  EXPECT_TRUE(order_.matters());
  const StreamId other_default = StreamOrder::InDevice(1, 0), other = StreamOrder::InDevice(1, 16);
  order_.Create(other, StreamFlags::kBlocking);
  EXPECT_FALSE(AreOrdered(0, other_default));
  EXPECT_FALSE(AreOrdered(0, other));
  EXPECT_TRUE(AreOrdered(other, other_default)) << "as on every device";
  const auto before = order_.Issue(0);
  EXPECT_EQ(before.device, 0u);
  order_.AwaitAll(1);
  EXPECT_FALSE(order_.Issue(other_default).IsAfter(before));
  order_.Record(1, 0);
  order_.AwaitEvent(1);
  EXPECT_TRUE(order_.Issue(other).IsAfter(before));
  const auto later = order_.Issue(0);
  order_.AwaitAll(0);
  EXPECT_TRUE(order_.Issue(other_default).IsAfter(later));
}

TEST_F(StreamOrderTest, GivesUpWithVeryManyStreams) {
  for (int i = 0; i < 200; ++i) NonBlocking();
  EXPECT_FALSE(order_.matters());
  order_.AwaitAll();
  NonBlocking();
  EXPECT_FALSE(order_.matters()) << "some streams have no place in the order";
}

TEST(ByteRanges, CommonAndDifference) {
  const ByteRanges all{{0, 10}, {20, 30}};
  EXPECT_EQ(FirstCommon(all, {{10, 20}}), std::nullopt);
  EXPECT_EQ(FirstCommon(all, {{5, 25}}), (ByteRange{5, 10}));
  EXPECT_EQ(FirstCommon(all, {{12, 15}, {29, 40}}), (ByteRange{29, 30}));
  EXPECT_EQ(FirstCommon({}, all), std::nullopt);
  EXPECT_EQ(Without(all, {{10, 20}}), all);
  EXPECT_EQ(Without(all, {{5, 25}}), (ByteRanges{{0, 5}, {25, 30}}));
  EXPECT_EQ(Without(all, {{2, 4}, {6, 8}, {22, 23}}),
            (ByteRanges{{0, 2}, {4, 6}, {8, 10}, {20, 22}, {23, 30}}));
  EXPECT_EQ(Without(all, {{0, 30}}), ByteRanges{});
}

}  // namespace
}  // namespace warplings::stream_order_test
