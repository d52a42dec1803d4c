// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/device.h"

namespace warplings {

/// How much a device's streams may hold of work that has not run yet. Nothing fails when it runs out: the
/// oldest work then runs earlier than it would have.
struct PendingBudget {
  std::size_t entries = std::size_t{1} << 16;      ///< Copies, fills, launches, recordings and waits.
  std::uint64_t bytes = std::uint64_t{256} << 20;  ///< Data of copies and arguments of launches.
};

/// Order of work in the streams of one device, and its events.
///
/// Theory of operation. Work for the default stream or for a blocking stream runs at once, inside the call
/// that asks for it: blocking streams and the legacy default stream wait for each other, so the order in
/// which the program asks is always allowed. Work for a non-blocking stream is kept and runs when somebody
/// waits for it, as late as CUDA's rules allow, so that a missing synchronisation shows.
///
/// Every piece of kept work has a place: a number counted up over all streams in the order of asking.
/// Recording an event takes a place in its stream. Waiting for an event copies the place that the event has
/// at that time (CUDA: "the most recently captured state at the time of the API call"), so that recording the
/// event again or destroying it does not touch waits that were made. What a wait waits for always has a
/// smaller place than the wait itself. Hence there are no circles, and the work with the smallest place of
/// all can always run: that is what happens when the budget runs out.
///
/// The budget is the device's, not each client's: a client that uses it up makes other clients' work run
/// earlier, which is still an order that CUDA allows, and can make nobody's call fail.
class Streams {
 public:
  using Work = std::function<CudaStatus()>;

  explicit Streams(PendingBudget budget = {}) : budget_(budget) {}

  CudaResult<StreamId> Create(ClientId client, StreamFlags flags);
  CudaStatus Destroy(ClientId client, StreamId stream);
  /// `what` names the work for Pending; `bytes` is the memory that `work` holds until it has run. Runs it
  /// now, or keeps it.
  CudaStatus Submit(StreamId stream, std::string what, Work work, std::uint64_t bytes = 0);
  /// Whether Submit to this stream runs the work before it returns; false for a stream that does not exist.
  bool RunsAtOnce(StreamId stream) const;
  /// Each question runs one entry of the stream and what that waits for, so that a loop that asks comes to an
  /// end.
  CudaResult<bool> Query(StreamId stream);
  /// Runs all of the stream's work and what it waits for; the first error.
  CudaStatus Synchronize(StreamId stream);
  CudaStatus SynchronizeAll();
  /// Kept copies, fills and launches, by stream and in the order in which they will run.
  std::vector<PendingWork> Pending() const;

  CudaResult<EventId> CreateEvent(ClientId client);
  CudaStatus DestroyEvent(ClientId client, EventId event);
  /// `now` gives the time when the stream reaches the event, in seconds.
  CudaStatus Record(EventId event, StreamId stream, std::function<double()> now);
  /// An event that was never recorded stands for no work: nothing waits.
  CudaStatus Wait(StreamId stream, EventId event);
  /// As Query, of the stream that the event was last recorded in.
  CudaResult<bool> QueryEvent(EventId event);
  CudaStatus SynchronizeEvent(EventId event);
  /// kInvalidResourceHandle where either was never recorded, else kNotReady where either is not reached.
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop);

  /// Forgets the client's streams, with the work that has not run, and its events.
  void DropClient(ClientId client);

 private:
  using Place = std::uint64_t;
  /// A stream's entries up to and including a place. Places begin at 1, so that {} is always reached.
  struct Point {
    StreamId stream = 0;
    Place place = 0;
  };
  static constexpr Place kEnd = std::numeric_limits<Place>::max();
  struct Entry {
    StreamId stream = 0;
    std::string what;         ///< Empty for a recording or a wait.
    Work work;                ///< None for a wait.
    Point awaited;            ///< Of a wait.
    std::uint64_t bytes = 0;  ///< Charged to the budget.
  };
  struct Stream {
    ClientId client = 0;
    StreamFlags flags = StreamFlags::kBlocking;
    std::deque<Place> order;  ///< Of its entries in pending_.
    /// Of work that ran early to make room; the next call that waits for the stream gives it.
    std::optional<CudaFault> early_fault;
  };
  struct Event {
    ClientId client = 0;
    bool recorded = false;
    Point point;                    ///< Where it was last recorded.
    std::optional<double> seconds;  ///< When the stream came there.
  };

  bool Exists(StreamId stream) const { return stream == 0 || streams_.contains(stream); }
  bool Reached(const Point& point) const;
  /// Runs what is needed for the point to be reached, and nothing else. The first error, of work of its
  /// stream that ran early as well.
  CudaStatus RunUntil(const Point& point);
  CudaStatus RunFirst(StreamId stream);
  /// For a non-blocking stream. Returns work's own status where it runs at once because it could never fit.
  CudaStatus Keep(Entry entry);
  void MakeRoom(std::uint64_t bytes);

  const PendingBudget budget_;
  std::map<StreamId, Stream> streams_;
  std::map<EventId, Event> events_;
  std::map<Place, Entry> pending_;  ///< Of all streams, the oldest first.
  std::uint64_t pending_bytes_ = 0;
  Place next_place_ = 1;
  /// Ids are never used again, and begin beyond the handles that the runtime reserves (1, 2).
  StreamId next_stream_ = 16;
  EventId next_event_ = 16;
};

}  // namespace warplings
