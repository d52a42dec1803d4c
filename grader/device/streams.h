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

#include "grader/device/calls.h"
#include "grader/device/device.h"

namespace warplings {

/// Limits on the pending work in the streams of a device. Exceeding them is not an error: the oldest work
/// then runs earlier than necessary.
struct PendingBudget {
  std::size_t entries = std::size_t{1} << 16;      ///< Copies, fills, launches, recordings and waits.
  std::uint64_t bytes = std::uint64_t{256} << 20;  ///< Data of copies and arguments of launches.
};

/// The streams and events of one device: decides in which order work runs.
///
/// Theory of operation. Work in the default stream or in a blocking stream runs at once, within the call that
/// issues it: blocking streams and the legacy default stream wait for each other, so the order of issue is
/// always allowed. Work in a non-blocking stream is kept and runs when somebody waits for it, as late as
/// CUDA's rules allow, so that a missing synchronisation becomes visible.
///
/// Every piece of kept work has a place: a number that counts up over all streams in order of issue.
/// Recording an event takes a place in its stream. Waiting for an event copies the event's place at that time
/// (CUDA: "the most recently captured state at the time of the API call"), so recording the event again or
/// destroying it does not affect earlier waits. A wait always has a larger place than what it waits for.
/// Hence there are no cycles, and the work with the smallest place can always run; that is what happens when
/// the budget is used up.
///
/// The budget is per device, not per client. A client that uses it up makes other clients' work run earlier,
/// which CUDA allows; it cannot make their calls fail.
class Streams {
 public:
  using Work = std::function<CudaStatus()>;

  explicit Streams(PendingBudget budget = {}) : budget_(budget) {}

  CudaResult<StreamId> Create(ClientId client, StreamFlags flags);
  /// Returns at once, as cudaStreamDestroy does: pending work still runs, when somebody waits for all work or
  /// for an event of the stream.
  CudaStatus Destroy(ClientId client, StreamId stream);
  /// Runs `work` now or keeps it. `what` is its name for Pending; `bytes` is the memory that it holds until
  /// it has run.
  CudaStatus Submit(StreamId stream, Message what, Work work, std::uint64_t bytes = 0);
  /// True if Submit runs work in this stream before it returns; false for a stream that does not exist.
  bool RunsAtOnce(StreamId stream) const;
  /// Keeps a place for a function that the client runs itself. Returns its number; 0: all work before it has
  /// run, so it can be run now. Whoever waits without AdvanceTo passes over it.
  using HostFunction = std::uint64_t;
  CudaResult<HostFunction> SubmitHostFunction(StreamId stream);
  /// Runs what a wait of the client's would run, up to the first host function that has not ended. Returns
  /// it, or 0. Errors are kept for the wait.
  CudaResult<HostFunction> AdvanceTo(ClientId client, protocol::Awaited awaited, std::uint64_t id);
  /// Nothing happens if there is no such function of the client's.
  void EndHostFunction(ClientId client, HostFunction function);
  /// True if all work in the stream has run. Each query runs one entry of the stream and what that waits for,
  /// so that a polling loop terminates.
  CudaResult<bool> Query(StreamId stream);
  /// Runs all of the stream's work and what it waits for. Returns the first error.
  CudaStatus Synchronize(StreamId stream);
  CudaStatus SynchronizeAll();
  /// Runs all work of all streams, oldest first, up to a host function. The next call that waits for a stream
  /// returns its error.
  void RunEarly();
  /// The pending copies, fills and launches, by stream and in execution order.
  std::vector<PendingWork> Pending() const;

  CudaResult<EventId> CreateEvent(ClientId client);
  CudaStatus DestroyEvent(ClientId client, EventId event);
  /// `now` is called when the stream reaches the event, and returns the time in seconds.
  CudaStatus Record(EventId event, StreamId stream, std::function<double()> now);
  /// An event that was never recorded is an empty set of work, so nothing waits.
  CudaStatus Wait(StreamId stream, EventId event);
  /// Like Query, for the stream in which the event was last recorded.
  CudaResult<bool> QueryEvent(EventId event);
  CudaStatus SynchronizeEvent(EventId event);
  /// kInvalidResourceHandle if either event was never recorded, otherwise kNotReady if either has not been
  /// reached.
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop);

  /// Removes the client's streams, with their pending work, and its events. Returns the streams.
  std::vector<StreamId> DropClient(ClientId client);
  bool HasEvent(EventId event) const { return events_.contains(event); }
  /// True if calls may name the stream.
  bool Exists(StreamId stream) const {
    const auto entry = streams_.find(stream);
    return stream == 0 || (entry != streams_.end() && !entry->second.is_destroyed);
  }

 private:
  using Place = std::uint64_t;
  /// All entries of a stream up to and including a place. Places begin at 1, so {} counts as reached.
  struct Point {
    StreamId stream = 0;
    Place place = 0;
  };
  static constexpr Place kEnd = std::numeric_limits<Place>::max();
  struct Entry {
    StreamId stream = 0;
    Message what;                   ///< Empty for what Pending does not list.
    Work work;                      ///< None for a wait.
    Point awaited;                  ///< For a wait.
    bool is_host_function = false;  ///< And has not ended.
    std::uint64_t bytes = 0;        ///< Charged to the budget.
  };
  struct Stream {
    ClientId client = 0;
    StreamFlags flags = StreamFlags::kBlocking;
    std::deque<Place> order;  ///< The places of its entries in pending_.
    /// The error of work that ran early to make room; returned by the next call that waits for the stream.
    std::optional<CudaFault> early_fault;
    bool is_destroyed = false;  ///< No call may name it any more; it is kept for its pending work.
  };
  struct Event {
    ClientId client = 0;
    bool recorded = false;
    Point point;                    ///< The point at which it was last recorded.
    std::optional<double> seconds;  ///< The time when the stream reached it.
  };

  bool Reached(const Point& point) const;
  /// Runs only what is needed to reach the point. Returns the first error, including that of work in its
  /// stream that ran early.
  CudaStatus RunUntil(const Point& point);
  /// Runs what is needed to reach the point. If `stops` is true, stops before the first host function and
  /// returns it; otherwise returns 0. `first` becomes the first error.
  HostFunction Run(const Point& point, bool stops, CudaStatus& first);
  /// The points that such a wait runs to.
  std::vector<Point> PointsOf(ClientId client, protocol::Awaited awaited, std::uint64_t id) const;
  /// The stream's first entry.
  Point FirstOf(StreamId stream) const;
  CudaStatus RunFirst(StreamId stream);
  /// Runs the stream's first entry, and what that waits for.
  CudaStatus RunNext(StreamId stream);
  /// Forgets a destroyed stream all of whose work has run.
  void DropIfDone(StreamId stream);
  /// Keeps work of a non-blocking stream. If it could never fit into the budget, runs it at once and returns
  /// its status.
  CudaStatus Keep(Entry entry);
  void MakeRoom(std::uint64_t bytes);
  /// Runs the oldest entry of all.
  void RunOldest();

  const PendingBudget budget_;
  std::map<StreamId, Stream> streams_;
  std::map<EventId, Event> events_;
  std::map<Place, Entry> pending_;  ///< The entries of all streams, oldest first.
  std::uint64_t pending_bytes_ = 0;
  Place next_place_ = 1;
  /// Ids are never reused, and begin after the handles that the runtime reserves (1, 2).
  StreamId next_stream_ = 16;
  EventId next_event_ = 16;
};

}  // namespace warplings
