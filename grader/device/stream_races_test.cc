// SPDX-License-Identifier: Apache-2.0
// Whole programs are below tests/kernels/checks/race_between_streams.
#include "grader/device/stream_races.h"

#include <gtest/gtest.h>

#include "grader/messages/findings.h"

namespace warplings::stream_races_test {
namespace {

constexpr DevicePointer kArray = 0x3000'0000'0000, kOtherArray = kArray + 0x100000;
constexpr StreamId kOne = 16, kTwo = 17;

class StreamRacesTest : public testing::Test {
 protected:
  void SetUp() override {
    races_.order().Create(kOne, StreamFlags::kBlocking);
    races_.order().Create(kTwo, StreamFlags::kBlocking);
  }

  using Operation = std::shared_ptr<StreamRaces::Operation>;
  Operation Issue(StreamId stream) {
    auto operation = races_.Issue(stream);
    if (operation) operation->what = say::fill_of_memory();
    return operation;
  }
  static ArrayAccesses Of(DevicePointer start) {
    ArrayAccesses accesses;
    accesses.array = {start, 4096, "M", false};
    return accesses;
  }
  static ArrayAccesses Reads(std::uint64_t begin, std::uint64_t end, DevicePointer start = kArray) {
    ArrayAccesses accesses = Of(start);
    accesses.read = {{start + begin, start + end}};
    return accesses;
  }
  static ArrayAccesses Writes(std::uint64_t begin, std::uint64_t end, DevicePointer start = kArray) {
    ArrayAccesses accesses = Of(start);
    accesses.written = accesses.changed = {{start + begin, start + end}};
    return accesses;
  }
  void Do(StreamId stream, ArrayAccesses accesses) { races_.Note(Issue(stream), {std::move(accesses)}); }

  std::vector<Finding> found_;
  StreamRaces races_{[this](Finding finding) { found_.push_back(std::move(finding)); }};
};

TEST_F(StreamRacesTest, NamesBothOperationsTheirStreamsAndTheBytes) {
  Do(kOne, Writes(0, 100));
  Do(kTwo, Reads(40, 4096));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].kind, FindingKind::kRaceBetweenStreams);
  EXPECT_EQ(found_[0].severity, Severity::kError);
  EXPECT_EQ(found_[0].offset_bytes, 40);
  EXPECT_EQ(found_[0].access, Access::kRead);
  EXPECT_EQ(found_[0].other_access, Access::kWrite);
  EXPECT_EQ(
      English(found_[0].message),
      "a memset in stream 2 reads bytes 40 to 99 of M while a memset in stream 1 may still write there: "
      "let stream 2 wait for stream 1 with an event (cudaStreamWaitEvent)");
}

TEST_F(StreamRacesTest, TheLaterIssuedOneIsTheSubjectWhicheverRanFirst) {
  const auto first = Issue(kOne), second = Issue(kTwo);
  races_.Note(second, {Writes(0, 1)});
  races_.Note(first, {Reads(0, 1)});
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(English(found_[0].message),
            "a memset in stream 2 writes byte 0 of M while a memset in stream 1 may still read there: let "
            "stream 2 wait for stream 1 with an event (cudaStreamWaitEvent)");
}

TEST_F(StreamRacesTest, OtherBytesAndOtherArraysAreNoRace) {
  Do(kOne, Writes(0, 100));
  Do(kTwo, Writes(100, 200));
  Do(kTwo, Writes(0, 100, kOtherArray));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamRacesTest, TwoReadsAreNoRace) {
  Do(kOne, Reads(0, 100));
  Do(kTwo, Reads(0, 100));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamRacesTest, TheSameValueIsAWarning) {
  Do(kOne, Writes(0, 4));
  ArrayAccesses same = Writes(0, 4);
  same.changed.clear();
  Do(kTwo, same);
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].severity, Severity::kWarning);
  EXPECT_TRUE(say::race_of_streams_same_value.Made(found_[0].message));
}

TEST_F(StreamRacesTest, StrongAccessesRaceWithPlainOnesAlone) {
  ArrayAccesses atomic = Of(kArray);
  atomic.strongly_written = {{kArray, kArray + 4}};
  ArrayAccesses look = Of(kArray);
  look.strongly_read = {{kArray, kArray + 4}};
  Do(kOne, atomic);
  Do(kTwo, atomic);
  Do(kTwo, look);
  EXPECT_TRUE(found_.empty());
  Do(kTwo, Reads(0, 4));
  EXPECT_EQ(found_.size(), 1u);
  Do(kOne, look);
  EXPECT_EQ(found_.size(), 1u) << "of two that read";
  Do(kTwo, Writes(0, 4));
  EXPECT_EQ(found_.size(), 3u) << "with the atomic, and with the volatile read";
}

TEST_F(StreamRacesTest, ALookBeforeASwapRacesWithNoSwap) {
  ArrayAccesses inserts = Reads(0, 100);
  inserts.strongly_written = {{kArray + 100, kArray + 104}};
  inserts.swaps = true;
  ArrayAccesses others = Reads(104, 200);
  others.strongly_written = {{kArray + 40, kArray + 44}};
  others.swaps = true;
  Do(kOne, inserts);
  Do(kTwo, others);
  EXPECT_TRUE(found_.empty());
  Do(kOne, Reads(40, 44));
  EXPECT_EQ(found_.size(), 1u) << "it only reads";
}

TEST_F(StreamRacesTest, AnOlderOperationIsFoundWhereNoNewerOneCoversIt) {
  Do(kOne, Writes(0, 100));
  Do(kOne, Writes(0, 50));
  Do(kTwo, Reads(60, 61));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamRacesTest, AReadDoesNotCoverAWrite) {
  Do(kOne, Writes(0, 100));
  Do(kOne, Reads(0, 100));
  Do(kTwo, Reads(0, 100));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamRacesTest, WhatTheHostHasWaitedForDoesNotRace) {
  Do(kOne, Writes(0, 100));
  races_.order().AwaitStream(kOne);
  Do(kTwo, Writes(0, 100));
  races_.EndAll();
  Do(kOne, Writes(0, 100));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamRacesTest, WorkThatIsLateIsComparedWithWhatTheHostHasWaitedFor) {
  const auto late = Issue(kTwo);
  Do(kOne, Writes(0, 100));
  races_.order().AwaitStream(kOne);
  races_.Note(late, {Reads(0, 100)});
  EXPECT_EQ(found_.size(), 1u) << "it was issued before the host waited";
}

TEST_F(StreamRacesTest, FreedMemoryIsForgotten) {
  Do(kOne, Writes(0, 100));
  races_.Forget(kArray);
  Do(kTwo, Writes(0, 100));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamRacesTest, KernelsThatMayWaitForEachOtherAreOrdered) {
  const auto producer = Issue(kOne), consumer = Issue(kTwo);
  producer->signals = consumer->signals = consumer->waits = true;
  races_.Note(producer, {Writes(0, 4)});
  races_.Note(consumer, {Reads(0, 4)});
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamRacesTest, TheSameRaceAgainIsReportedInTheSameWords) {
  for (std::uint64_t at = 0; at < 400; at += 100) {
    Do(kOne, Writes(at, at + 100));
    Do(kTwo, Reads(at, at + 100));
  }
  ASSERT_EQ(found_.size(), 4u);
  EXPECT_EQ(found_[3].message, found_[0].message);
}

TEST_F(StreamRacesTest, RecordsNothingWhileItIsOffOrWhereThereIsOneOrder) {
  races_.Enable(false);
  EXPECT_EQ(Issue(kOne), nullptr);
  StreamRaces one_order{[](Finding) {}};
  EXPECT_EQ(one_order.Issue(0), nullptr);
}

TEST_F(StreamRacesTest, ManyPiecesOfAnArrayTakeBoundedMemoryAndTime) {
  for (std::uint64_t at = 0; at < 5'000; ++at) Do(kOne, Writes(at, at + 1));
  Do(kTwo, Reads(4'999, 5'000));
  EXPECT_EQ(found_.size(), 1u);
}

/// An allocation or a free of 4096 bytes.
ArrayAccesses Lifetime() {
  ArrayAccesses accesses;
  accesses.array = {kArray, 4096, "M", false};
  accesses.read = accesses.written = accesses.changed = {{kArray, kArray + 4096}};
  return accesses;
}

TEST_F(StreamRacesTest, MemoryIsUsedBetweenItsAllocationAndItsFree) {
  const auto allocates = [&](StreamId stream) {
    const Operation operation = Issue(stream);
    operation->what = "cudaMallocAsync";
    operation->role = StreamRaces::Role::kAllocates;
    races_.Note(operation, {Lifetime()});
  };
  const auto frees = [&](StreamId stream) {
    const Operation operation = Issue(stream);
    operation->what = "cudaFreeAsync";
    operation->role = StreamRaces::Role::kFrees;
    races_.Note(operation, {Lifetime()});
  };
  allocates(kOne);
  Do(kOne, Writes(0, 64));
  frees(kOne);
  EXPECT_TRUE(found_.empty());
  races_.ForgetAll();

  allocates(kOne);
  Do(kTwo, Reads(0, 64));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(
      English(found_[0].message),
      "a memset in stream 2 uses bytes 0 to 63 of M before cudaMallocAsync in stream 1 may have allocated "
      "it: let stream 2 wait for stream 1 with an event (cudaStreamWaitEvent)");
  frees(kOne);
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_EQ(
      English(found_[1].message),
      "cudaFreeAsync in stream 1 frees M while a memset in stream 2 may still use bytes 0 to 63 of it: let "
      "stream 1 wait for stream 2 with an event (cudaStreamWaitEvent)");
  Do(kTwo, Writes(8, 9));
  ASSERT_EQ(found_.size(), 3u);
  EXPECT_EQ(English(found_[2].message),
            "a memset in stream 2 uses byte 8 of M although cudaFreeAsync in stream 1 has freed it: call "
            "cudaFreeAsync after the last use");
}

}  // namespace
}  // namespace warplings::stream_races_test
