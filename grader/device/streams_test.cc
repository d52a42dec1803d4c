// SPDX-License-Identifier: Apache-2.0
// The rules are those of the CUDA Runtime API's reference (cuda_runtime_api.h, the comments on
// cudaStreamWaitEvent, cudaEventRecord, cudaEventQuery, cudaEventDestroy and cudaEventElapsedTime). Where
// CUDA leaves an order open, the tests state the one that is chosen here: as late as possible.
#include "grader/device/streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplings::streams_test {
namespace {

constexpr ClientId kClient = 1, kOther = 2;
using Log = std::vector<std::string>;

class StreamsTest : public testing::Test {
 protected:
  explicit StreamsTest(PendingBudget budget = {}) : streams_(budget) {}
  StreamId NonBlocking(ClientId client = kClient) {
    return *streams_.Create(client, StreamFlags::kNonBlocking);
  }
  StreamId Blocking() { return *streams_.Create(kClient, StreamFlags::kBlocking); }
  EventId MakeEvent() { return *streams_.CreateEvent(kClient); }
  void Submit(StreamId stream, const std::string& name, std::uint64_t bytes = 0) {
    const auto work = [this, name]() -> CudaStatus {
      ran_.push_back(name);
      return Unit{};
    };
    ASSERT_TRUE(streams_.Submit(stream, name, work, bytes).ok());
  }
  void SubmitFailing(StreamId stream, CudaError code) {
    const auto work = [code]() -> CudaStatus { return CudaFault{code, "as asked"}; };
    ASSERT_TRUE(streams_.Submit(stream, "failing", work).ok());
  }
  /// The clock shows one second more each time that it is looked at.
  CudaStatus Record(EventId event, StreamId stream) {
    return streams_.Record(event, stream, [this] { return seconds_ += 1; });
  }
  EventId Recorded(StreamId stream) {
    const EventId event = MakeEvent();
    EXPECT_TRUE(Record(event, stream).ok());
    return event;
  }
  Log Pending() const {
    Log names;
    for (const PendingWork& work : streams_.Pending()) names.push_back(English(work.what));
    return names;
  }
  /// What ran since this was last called.
  Log TakeRan() { return std::exchange(ran_, {}); }

  Streams streams_;
  Log ran_;
  double seconds_ = 0;
};

// --- Streams -------------------------------------------------------------------------------------------

TEST_F(StreamsTest, WorkOfANonBlockingStreamRunsWhenSomebodyWaitsForIt) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(first, "a");
  Submit(second, "x");
  Submit(first, "b");
  EXPECT_EQ(TakeRan(), Log{});
  EXPECT_EQ(Pending(), (Log{"a", "b", "x"}));
  ASSERT_TRUE(streams_.Synchronize(first).ok());
  EXPECT_EQ(TakeRan(), (Log{"a", "b"}));
  ASSERT_TRUE(streams_.SynchronizeAll().ok());
  EXPECT_EQ(TakeRan(), (Log{"x"}));
}

TEST_F(StreamsTest, TheDefaultStreamAndBlockingStreamsRunInTheOrderOfAsking) {
  const StreamId blocking = Blocking(), other = Blocking(), non_blocking = NonBlocking();
  Submit(non_blocking, "n");
  Submit(blocking, "a");
  Submit(0, "b");
  Submit(other, "c");
  EXPECT_EQ(TakeRan(), (Log{"a", "b", "c"}));
  // A stream made with cudaStreamNonBlocking takes no part in the default stream's implicit synchronisation.
  ASSERT_TRUE(streams_.Synchronize(0).ok());
  ASSERT_TRUE(streams_.Synchronize(blocking).ok());
  EXPECT_EQ(TakeRan(), Log{});
  EXPECT_TRUE(streams_.RunsAtOnce(0));
  EXPECT_TRUE(streams_.RunsAtOnce(blocking));
  EXPECT_FALSE(streams_.RunsAtOnce(non_blocking));
  EXPECT_FALSE(streams_.RunsAtOnce(12345));
}

TEST_F(StreamsTest, AQuestionLetsOneEntryPass) {
  const StreamId stream = NonBlocking();
  EXPECT_TRUE(*streams_.Query(stream));
  Submit(stream, "a");
  Submit(stream, "b");
  EXPECT_FALSE(*streams_.Query(stream));
  EXPECT_EQ(TakeRan(), Log{"a"});
  EXPECT_TRUE(*streams_.Query(stream));
  EXPECT_EQ(TakeRan(), Log{"b"});
  EXPECT_TRUE(*streams_.Query(0));
}

/// "The function will return immediately": what the stream still has to do is as open as before.
TEST_F(StreamsTest, TheWorkOfADestroyedStreamStaysOpen) {
  const StreamId stream = NonBlocking();
  Submit(stream, "a");
  ASSERT_TRUE(streams_.Destroy(kClient, stream).ok());
  EXPECT_EQ(TakeRan(), Log{});
  EXPECT_EQ(Pending(), Log{"a"});
  ASSERT_TRUE(streams_.SynchronizeAll().ok());
  EXPECT_EQ(TakeRan(), Log{"a"});
  EXPECT_EQ(Pending(), Log{});
}

TEST_F(StreamsTest, NoCallNamesADestroyedStream) {
  const StreamId stream = NonBlocking();
  Submit(stream, "a");
  ASSERT_TRUE(streams_.Destroy(kClient, stream).ok());
  const auto is_gone = [](const auto& result) {
    return !result.ok() && result.error().code == CudaError::kInvalidResourceHandle;
  };
  EXPECT_TRUE(is_gone(streams_.Synchronize(stream)));
  EXPECT_TRUE(is_gone(streams_.Query(stream)));
  EXPECT_TRUE(is_gone(streams_.Destroy(kClient, stream)));
  EXPECT_TRUE(is_gone(streams_.Submit(stream, "b", []() -> CudaStatus { return Unit{}; })));
}

TEST_F(StreamsTest, AnEventOfADestroyedStreamCanBeAwaited) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  Submit(stream, "behind the event");
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  Submit(waiting, "b");
  ASSERT_TRUE(streams_.Destroy(kClient, stream).ok());
  ASSERT_TRUE(streams_.Synchronize(waiting).ok());
  EXPECT_EQ(TakeRan(), (Log{"a", "b"}));
  EXPECT_TRUE(*streams_.QueryEvent(event));
  EXPECT_EQ(Pending(), Log{"behind the event"});

  // A poll of the event alone lets a destroyed stream go on, too.
  const StreamId polled = NonBlocking();
  Submit(polled, "c");
  const EventId last = Recorded(polled);
  ASSERT_TRUE(streams_.Destroy(kClient, polled).ok());
  for (int polls = 0; polls < 3 && !*streams_.QueryEvent(last); ++polls) {
  }
  EXPECT_EQ(TakeRan(), Log{"c"});
}

TEST_F(StreamsTest, WhatDoesNotExistIsRefused) {
  const StreamId stream = NonBlocking();
  const EventId event = MakeEvent();
  const auto refused = [](const auto& result) {
    return !result.ok() && result.error().code == CudaError::kInvalidResourceHandle;
  };
  const auto nothing = []() -> CudaStatus { return Unit{}; };
  EXPECT_TRUE(refused(streams_.Destroy(kOther, stream)));
  EXPECT_TRUE(refused(streams_.DestroyEvent(kOther, event)));
  EXPECT_TRUE(refused(streams_.Submit(99, "a", nothing)));
  EXPECT_TRUE(refused(streams_.Query(99)));
  EXPECT_TRUE(refused(Record(event, 99)));
  EXPECT_TRUE(refused(Record(99, stream)));
  EXPECT_TRUE(refused(streams_.Wait(99, event)));
  EXPECT_TRUE(refused(streams_.Wait(stream, 99)));
  ASSERT_TRUE(streams_.DestroyEvent(kClient, event).ok());
  EXPECT_TRUE(refused(streams_.QueryEvent(event)));
  EXPECT_TRUE(refused(streams_.SynchronizeEvent(event)));
  EXPECT_TRUE(refused(streams_.DestroyEvent(kClient, event)));
}

// --- What a wait waits for -------------------------------------------------------------------------------

TEST_F(StreamsTest, AWaitBringsTheOtherStreamUpToTheEvent) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  Submit(stream, "behind the event");
  Submit(waiting, "x");
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  Submit(waiting, "y");
  ASSERT_TRUE(streams_.Synchronize(waiting).ok());
  EXPECT_EQ(TakeRan(), (Log{"x", "a", "y"}));
  EXPECT_EQ(Pending(), Log{"behind the event"});
}

TEST_F(StreamsTest, TheDefaultStreamAndBlockingStreamsWaitInTheCall) {
  for (const StreamId waiting : {StreamId{0}, Blocking()}) {
    const StreamId stream = NonBlocking();
    Submit(stream, "a");
    const EventId event = Recorded(stream);
    Submit(stream, "behind the event");
    ASSERT_TRUE(streams_.Wait(waiting, event).ok());
    EXPECT_EQ(TakeRan(), Log{"a"});
  }
}

TEST_F(StreamsTest, AWaitOutlivesItsEvent) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  ASSERT_TRUE(streams_.DestroyEvent(kClient, event).ok());
  EXPECT_EQ(TakeRan(), Log{});  // cudaEventDestroy does not wait either.
  Submit(waiting, "b");
  ASSERT_TRUE(streams_.Synchronize(waiting).ok());
  EXPECT_EQ(TakeRan(), (Log{"a", "b"}));
}

TEST_F(StreamsTest, AWaitKeepsTheRecordingThatItWasMadeFor) {
  const StreamId elsewhere[] = {0, Blocking(), NonBlocking()};
  for (const StreamId again : elsewhere) {
    const StreamId stream = NonBlocking(), waiting = NonBlocking();
    Submit(stream, "a");
    const EventId event = Recorded(stream);
    ASSERT_TRUE(streams_.Wait(waiting, event).ok());
    Submit(waiting, "b");
    ASSERT_TRUE(Record(event, again).ok());
    ASSERT_TRUE(streams_.Synchronize(waiting).ok());
    EXPECT_EQ(TakeRan(), (Log{"a", "b"})) << "recorded again in stream " << again;
  }
}

TEST_F(StreamsTest, AnEventRecordedAgainInTheWaitingStreamMakesNoCircle) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  Submit(waiting, "b");
  ASSERT_TRUE(Record(event, waiting).ok());
  ASSERT_TRUE(streams_.Wait(stream, event).ok());
  Submit(stream, "c");
  ASSERT_TRUE(streams_.SynchronizeEvent(event).ok());
  EXPECT_EQ(TakeRan(), (Log{"a", "b"}));
  ASSERT_TRUE(streams_.Synchronize(stream).ok());
  EXPECT_EQ(TakeRan(), Log{"c"});
}

TEST_F(StreamsTest, AWaitForTheFirstOfTwoRecordingsLeavesWhatIsBetweenThem) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  Submit(stream, "between");
  ASSERT_TRUE(Record(event, stream).ok());
  ASSERT_TRUE(streams_.Synchronize(waiting).ok());
  EXPECT_EQ(TakeRan(), Log{"a"});
  ASSERT_TRUE(streams_.SynchronizeEvent(event).ok());
  EXPECT_EQ(TakeRan(), Log{"between"});
}

TEST_F(StreamsTest, AnEventThatWasNeverRecordedHoldsNothingUp) {
  const StreamId stream = NonBlocking(), waiting = NonBlocking();
  const EventId event = MakeEvent();
  EXPECT_TRUE(*streams_.QueryEvent(event));
  EXPECT_TRUE(streams_.SynchronizeEvent(event).ok());
  ASSERT_TRUE(streams_.Wait(waiting, event).ok());
  Submit(waiting, "b");
  // Recorded only now: the wait was made for nothing, and stays so.
  Submit(stream, "a");
  ASSERT_TRUE(Record(event, stream).ok());
  ASSERT_TRUE(streams_.Synchronize(waiting).ok());
  EXPECT_EQ(TakeRan(), Log{"b"});
}

TEST(ManyEntries, FiftyThousandWaitsForOneEvent) {
  Streams streams({.entries = std::size_t{1} << 20});
  const StreamId stream = *streams.Create(kClient, StreamFlags::kNonBlocking);
  const StreamId waiting = *streams.Create(kClient, StreamFlags::kNonBlocking);
  const EventId event = *streams.CreateEvent(kClient);
  std::vector<int> ran;
  const auto submit = [&](StreamId target, int number) {
    const auto work = [&ran, number]() -> CudaStatus {
      ran.push_back(number);
      return Unit{};
    };
    ASSERT_TRUE(streams.Submit(target, "work", work).ok());
  };
  constexpr int kWaits = 50'000;
  for (int i = 0; i < kWaits; ++i) {
    submit(stream, 2 * i);
    ASSERT_TRUE(streams.Record(event, stream, [] { return 0.0; }).ok());
    ASSERT_TRUE(streams.Wait(waiting, event).ok());
    submit(waiting, 2 * i + 1);
  }
  // Now the event is of the stream that waits for it.
  ASSERT_TRUE(streams.Record(event, waiting, [] { return 0.0; }).ok());
  EXPECT_TRUE(ran.empty());
  ASSERT_TRUE(streams.Synchronize(waiting).ok());
  ASSERT_EQ(ran.size(), std::size_t{2 * kWaits});
  EXPECT_TRUE(std::ranges::is_sorted(ran));
}

// --- The state of an event ---------------------------------------------------------------------------------

TEST_F(StreamsTest, AnEventIsReachedWhenTheWorkBeforeItHasRun) {
  const StreamId stream = NonBlocking();
  Submit(stream, "a");
  const EventId event = Recorded(stream);
  Submit(stream, "b");
  EXPECT_FALSE(*streams_.QueryEvent(event));  // lets "a" pass
  EXPECT_EQ(TakeRan(), Log{"a"});
  EXPECT_TRUE(*streams_.QueryEvent(event));  // lets the recording pass
  EXPECT_TRUE(*streams_.QueryEvent(event));
  EXPECT_EQ(TakeRan(), Log{});
  ASSERT_TRUE(Record(event, stream).ok());
  EXPECT_FALSE(*streams_.QueryEvent(event));
  ASSERT_TRUE(streams_.SynchronizeEvent(event).ok());
  EXPECT_EQ(TakeRan(), Log{"b"});
}

TEST_F(StreamsTest, AQuestionAboutAnEventIsAboutItsLastRecording) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(first, "a");
  const EventId event = Recorded(first);
  ASSERT_TRUE(Record(event, second).ok());
  EXPECT_TRUE(*streams_.QueryEvent(event));
  EXPECT_EQ(Pending(), Log{"a"});
  // The first recording is passed later and changes nothing.
  const EventId stop = Recorded(0);
  const float elapsed = *streams_.ElapsedMilliseconds(event, stop);
  ASSERT_TRUE(streams_.Synchronize(first).ok());
  EXPECT_EQ(*streams_.ElapsedMilliseconds(event, stop), elapsed);
}

TEST_F(StreamsTest, AnEventOfTheDefaultStreamOrABlockingStreamIsReachedAtOnce) {
  for (const StreamId stream : {StreamId{0}, Blocking()}) {
    const EventId start = Recorded(stream), stop = Recorded(stream);
    EXPECT_TRUE(*streams_.QueryEvent(stop));
    EXPECT_EQ(*streams_.ElapsedMilliseconds(start, stop), 1000.0F);
  }
}

TEST_F(StreamsTest, ElapsedTimeNeedsBothEventsRecordedAndReached) {
  const StreamId stream = NonBlocking();
  const auto elapsed = [&](EventId start, EventId stop) {
    auto time = streams_.ElapsedMilliseconds(start, stop);
    return time.ok() ? CudaError::kSuccess : time.error().code;
  };
  const EventId never = MakeEvent(), start = Recorded(stream), stop = Recorded(stream);
  EXPECT_EQ(elapsed(never, never), CudaError::kInvalidResourceHandle);
  // "Never recorded" comes before "not reached", whichever of the two it is.
  EXPECT_EQ(elapsed(start, never), CudaError::kInvalidResourceHandle);
  EXPECT_EQ(elapsed(never, stop), CudaError::kInvalidResourceHandle);
  EXPECT_EQ(elapsed(start, stop), CudaError::kNotReady);
  ASSERT_TRUE(streams_.SynchronizeEvent(start).ok());
  EXPECT_EQ(elapsed(start, stop), CudaError::kNotReady);
  ASSERT_TRUE(streams_.SynchronizeEvent(stop).ok());
  EXPECT_EQ(*streams_.ElapsedMilliseconds(start, stop), 1000.0F);
  EXPECT_EQ(*streams_.ElapsedMilliseconds(stop, start), -1000.0F);
  ASSERT_TRUE(Record(stop, stream).ok());
  EXPECT_EQ(elapsed(start, stop), CudaError::kNotReady);
  ASSERT_TRUE(streams_.Synchronize(stream).ok());
  EXPECT_EQ(*streams_.ElapsedMilliseconds(start, stop), 2000.0F);
}

TEST_F(StreamsTest, AnErrorIsOfTheCallThatWaitsAndTheRestStillRuns) {
  const StreamId stream = NonBlocking();
  SubmitFailing(stream, CudaError::kIllegalAddress);
  Submit(stream, "b");
  EXPECT_EQ(streams_.Synchronize(stream).error().code, CudaError::kIllegalAddress);
  EXPECT_EQ(TakeRan(), Log{"b"});
  EXPECT_TRUE(streams_.Synchronize(stream).ok());
}

// --- The budget --------------------------------------------------------------------------------------------

TEST_F(StreamsTest, CopiesHoldNoMoreThanTheBudget) {
  constexpr std::size_t kCopy = std::size_t{4} << 20, kCopies = 800;
  const StreamId stream = NonBlocking();
  std::size_t held = 0, most = 0, ran = 0;
  for (std::size_t i = 0; i < kCopies; ++i) {
    // Stands for a copy's data: counted as long as the work that owns it lives.
    most = std::max(most, held += kCopy);
    const std::shared_ptr<int> data(new int(0), [&held](const int* p) {
      delete p;
      held -= kCopy;
    });
    const auto work = [&ran, i, data]() -> CudaStatus {
      EXPECT_EQ(ran++, i);
      return Unit{};
    };
    ASSERT_TRUE(streams_.Submit(stream, "copy", work, kCopy).ok());
  }
  // One more than the budget: the copy that is just asked for.
  EXPECT_LE(most, PendingBudget{}.bytes + kCopy);
  EXPECT_EQ(Pending().size(), PendingBudget{}.bytes / kCopy);
  ASSERT_TRUE(streams_.Synchronize(stream).ok());
  EXPECT_EQ(ran, kCopies);
  EXPECT_EQ(held, 0u);
}

TEST(ManyEntries, RecordingsAndWaitsCountAsEntries) {
  Streams streams({.entries = 100});
  const StreamId first = *streams.Create(kClient, StreamFlags::kNonBlocking);
  const StreamId second = *streams.Create(kClient, StreamFlags::kNonBlocking);
  const EventId event = *streams.CreateEvent(kClient);
  int looks_at_the_clock = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(streams.Record(event, first, [&] { return double(++looks_at_the_clock); }).ok());
    ASSERT_TRUE(streams.Wait(second, event).ok());
    ASSERT_TRUE(streams.Submit(second, "work", []() -> CudaStatus { return Unit{}; }).ok());
    ASSERT_LE(streams.Pending().size(), 34u);
  }
  EXPECT_EQ(looks_at_the_clock, 0);  // every recording but the last was replaced
  ASSERT_TRUE(streams.SynchronizeAll().ok());
  EXPECT_EQ(looks_at_the_clock, 1);
}

class SmallBudgetTest : public StreamsTest {
 protected:
  SmallBudgetTest() : StreamsTest({.entries = 4, .bytes = 100}) {}
};

TEST_F(SmallBudgetTest, TheOldestWorkOfAllStreamsMakesRoom) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(second, "a", 40);
  Submit(first, "b", 40);
  Submit(second, "c", 20);
  EXPECT_EQ(TakeRan(), Log{});
  Submit(first, "d", 1);
  EXPECT_EQ(TakeRan(), Log{"a"});
  Submit(first, "e");
  EXPECT_EQ(TakeRan(), Log{});
  Submit(first, "f");
  EXPECT_EQ(TakeRan(), Log{"b"});
  EXPECT_EQ(Pending(), (Log{"d", "e", "f", "c"}));
}

TEST_F(SmallBudgetTest, WorkThatIsLargerThanTheBudgetRunsAfterAllThatWasAskedForBefore) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(first, "a");
  ASSERT_TRUE(streams_.Wait(second, Recorded(first)).ok());
  Submit(second, "large", 101);
  EXPECT_EQ(TakeRan(), (Log{"a", "large"}));
  EXPECT_EQ(Pending(), Log{});
}

TEST_F(SmallBudgetTest, AnErrorOfEarlyWorkIsToldOnceByTheNextWaitForItsStream) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  SubmitFailing(first, CudaError::kIllegalAddress);
  for (const char* name : {"a", "b", "c", "d"}) Submit(second, name);
  EXPECT_EQ(Pending(), (Log{"a", "b", "c", "d"}));
  EXPECT_TRUE(streams_.Synchronize(second).ok());
  EXPECT_EQ(streams_.Synchronize(first).error().code, CudaError::kIllegalAddress);
  EXPECT_TRUE(streams_.Synchronize(first).ok());
}

TEST_F(SmallBudgetTest, ADroppedClientGivesItsShareBack) {
  const StreamId theirs = NonBlocking(kOther), mine = NonBlocking();
  Submit(theirs, "x", 50);
  Submit(theirs, "y", 50);
  ASSERT_TRUE(streams_.Wait(mine, Recorded(theirs)).ok());
  streams_.DropClient(kOther);
  Submit(mine, "a", 100);
  EXPECT_EQ(TakeRan(), Log{});
  ASSERT_TRUE(streams_.Synchronize(mine).ok());
  EXPECT_EQ(TakeRan(), Log{"a"});
}

// --- Any program -------------------------------------------------------------------------------------------

/// Asks for random work, and knows by the rules alone what each piece has to come after.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, PendingBudget budget) : random_(seed), streams_(budget) {
    for (int i = 0; i < kBlocking; ++i) ids_.push_back(*streams_.Create(kClient, StreamFlags::kBlocking));
    for (int i = 0; i < kNonBlocking; ++i)
      ids_.push_back(*streams_.Create(kClient, StreamFlags::kNonBlocking));
    for (auto& event : events_) event.id = *streams_.CreateEvent(kClient);
  }

  void Run(int calls) {
    for (int i = 0; i < calls; ++i) Call();
    EXPECT_TRUE(streams_.SynchronizeAll().ok());
    EXPECT_EQ(done_.size(), static_cast<std::size_t>(next_work_));
  }

 private:
  static constexpr int kBlocking = 2, kNonBlocking = 4, kEvents = 5;
  using Works = std::set<int>;
  struct Event {
    EventId id = 0;
    Works captured;
  };

  int Draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  /// The default stream is the first; blocking streams share its order.
  Works& LastOf(std::size_t stream) { return last_[stream <= kBlocking ? 0 : stream]; }
  void ExpectDone(const Works& works) {
    EXPECT_TRUE(std::ranges::includes(done_, works)) << "something that was waited for did not run";
  }

  void Call() {
    const auto stream = static_cast<std::size_t>(Draw(1 + kBlocking + kNonBlocking));
    const StreamId id = stream == 0 ? 0 : ids_[stream - 1];
    Event& event = events_[static_cast<std::size_t>(Draw(kEvents))];
    switch (Draw(16)) {
      case 0: EXPECT_TRUE(streams_.Synchronize(id).ok()); return ExpectDone(LastOf(stream));
      case 1: EXPECT_TRUE(streams_.SynchronizeEvent(event.id).ok()); return ExpectDone(event.captured);
      case 2:
        if (*streams_.QueryEvent(event.id)) ExpectDone(event.captured);
        return;
      case 3:
        if (*streams_.Query(id)) ExpectDone(LastOf(stream));
        return;
      case 4:
        EXPECT_TRUE(streams_.DestroyEvent(kClient, event.id).ok());
        event = {*streams_.CreateEvent(kClient), {}};
        return;
      case 5:
      case 6:
      case 7:
        EXPECT_TRUE(streams_.Record(event.id, id, [] { return 0.0; }).ok());
        event.captured = LastOf(stream);
        return;
      case 8:
      case 9:
      case 10:
        EXPECT_TRUE(streams_.Wait(id, event.id).ok());
        return LastOf(stream).insert(event.captured.begin(), event.captured.end());
      default: return Submit(id, LastOf(stream));
    }
  }

  void Submit(StreamId stream, Works& last) {
    const int number = next_work_++;
    const auto work = [this, number, before = last]() -> CudaStatus {
      ExpectDone(before);
      EXPECT_TRUE(done_.insert(number).second) << "ran twice";
      return Unit{};
    };
    last = {number};
    EXPECT_TRUE(streams_.Submit(stream, "work", work, static_cast<std::uint64_t>(Draw(40))).ok());
  }

  std::mt19937 random_;
  Streams streams_;
  std::vector<StreamId> ids_;
  std::array<Event, kEvents> events_;
  std::array<Works, 1 + kBlocking + kNonBlocking> last_;
  Works done_;
  int next_work_ = 0;
};

TEST(RandomStreams, EveryPieceOfWorkRunsOnceAndAfterWhatItHasToFollow) {
  for (unsigned seed = 0; seed < 200 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram(seed, {}).Run(300);
    RandomProgram(seed, {.entries = 8, .bytes = 60}).Run(300);
  }
}

TEST_F(StreamsTest, AWaitIsLedFromHostFunctionToHostFunction) {
  using protocol::Awaited;
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(first, "a");
  const auto one = *streams_.SubmitHostFunction(first);
  Submit(first, "b");
  const EventId event = Recorded(first);
  ASSERT_TRUE(streams_.Wait(second, event).ok());
  Submit(second, "x");
  const auto two = *streams_.SubmitHostFunction(second);
  EXPECT_NE(one, 0u);
  EXPECT_EQ(Pending(), (Log{"a", "host function", "b", "x", "host function"}));
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kStream, second), one);
  EXPECT_EQ(TakeRan(), (Log{"a"}));
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kEvent, event), one) << "it has not ended";
  EXPECT_EQ(*streams_.AdvanceTo(kOther, Awaited::kAll, 0), 0u) << "another client's";
  streams_.EndHostFunction(kOther, one);
  streams_.EndHostFunction(kClient, one + 1000);
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kAll, 0), one);
  streams_.EndHostFunction(kClient, one);
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kEvent, event), 0u);
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kStream, second), two);
  EXPECT_EQ(TakeRan(), (Log{"b", "x"}));
  streams_.EndHostFunction(kClient, two);
  EXPECT_EQ(*streams_.AdvanceTo(kClient, Awaited::kAll, 0), 0u);
  EXPECT_TRUE(streams_.SynchronizeAll().ok());
}

TEST_F(StreamsTest, WhoeverWaitsAloneDoesNotWaitForAHostFunction) {
  const StreamId stream = NonBlocking();
  ASSERT_NE(*streams_.SubmitHostFunction(stream), 0u);
  Submit(stream, "a");
  streams_.RunEarly();
  EXPECT_EQ(TakeRan(), Log{}) << "work runs early up to a host function";
  ASSERT_TRUE(streams_.Synchronize(stream).ok());
  EXPECT_EQ(TakeRan(), (Log{"a"}));
  EXPECT_EQ(*streams_.SubmitHostFunction(Blocking()), 0u) << "its work has run";
  EXPECT_EQ(*streams_.SubmitHostFunction(0), 0u);
  EXPECT_FALSE(streams_.SubmitHostFunction(999).ok());
}

TEST_F(StreamsTest, ErrorsOfWorkBeforeAHostFunctionWaitForTheWait) {
  const StreamId stream = NonBlocking();
  SubmitFailing(stream, CudaError::kIllegalAddress);
  const auto function = *streams_.SubmitHostFunction(stream);
  EXPECT_EQ(*streams_.AdvanceTo(kClient, protocol::Awaited::kStream, stream), function);
  streams_.EndHostFunction(kClient, function);
  EXPECT_EQ(streams_.Synchronize(stream).error().code, CudaError::kIllegalAddress);
}

TEST_F(StreamsTest, AllWorkCanRunEarlyAndItsErrorWaits) {
  const StreamId first = NonBlocking(), second = NonBlocking();
  Submit(first, "a");
  ASSERT_TRUE(streams_.Wait(second, Recorded(first)).ok());
  Submit(second, "x");
  SubmitFailing(first, CudaError::kIllegalAddress);
  streams_.RunEarly();
  EXPECT_EQ(TakeRan(), (Log{"a", "x"}));
  EXPECT_EQ(Pending(), Log{});
  EXPECT_TRUE(streams_.Synchronize(second).ok());
  EXPECT_EQ(streams_.Synchronize(first).error().code, CudaError::kIllegalAddress);
}

}  // namespace
}  // namespace warplings::streams_test
