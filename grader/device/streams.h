// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/device/device.h"

namespace warplings {

/// Order of work. What goes to the default stream or to a blocking stream runs at once, which the rules
/// allow. What goes to a non-blocking stream waits until somebody asks for it, as late as the rules
/// allow, so that a missing synchronisation shows.
class Streams {
 public:
  using Work = std::function<CudaStatus()>;

  CudaResult<StreamId> Create(ClientId client, StreamFlags flags);
  CudaStatus Destroy(ClientId client, StreamId stream);
  /// `what` names the work for PendingWork. Runs it now, or keeps it.
  CudaStatus Submit(StreamId stream, std::string what, Work work);
  CudaResult<bool> Query(StreamId stream);
  CudaStatus Synchronize(StreamId stream);
  CudaStatus SynchronizeAll();
  std::vector<PendingWork> Pending() const;

  CudaResult<EventId> CreateEvent(ClientId client);
  CudaStatus DestroyEvent(ClientId client, EventId event);
  /// `now` gives the time when the stream reaches the event, in seconds.
  CudaStatus Record(EventId event, StreamId stream, std::function<double()> now);
  CudaStatus Wait(StreamId stream, EventId event);
  CudaResult<bool> QueryEvent(EventId event);
  CudaStatus SynchronizeEvent(EventId event);
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop);

  void DropClient(ClientId client);

 private:
  struct Item {
    std::string what;
    Work work;
  };
  struct Stream {
    ClientId client = 0;
    StreamFlags flags = StreamFlags::kBlocking;
    std::deque<Item> pending;
  };
  struct Event {
    ClientId client = 0;
    StreamId stream = 0;
    std::uint64_t recorded = 0;  ///< How often it was recorded …
    std::uint64_t reached = 0;   ///< … and the last of these that its stream has reached.
    double seconds = 0;
  };

  bool Exists(StreamId stream) const { return stream == 0 || streams_.contains(stream); }
  CudaStatus RunFirst(StreamId stream);
  CudaStatus RunUntil(EventId event, std::uint64_t recording);

  std::map<StreamId, Stream> streams_;
  std::map<EventId, Event> events_;
  /// Ids are never used again, and begin beyond the handles that the runtime reserves (1, 2).
  StreamId next_stream_ = 16;
  EventId next_event_ = 16;
};

}  // namespace warplings
