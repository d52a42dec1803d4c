// SPDX-License-Identifier: Apache-2.0
#include "grader/device/streams.h"

#include <utility>

namespace warplings {
namespace {

CudaFault NoStream() {
  return {CudaError::kInvalidResourceHandle, "this stream does not exist"};
}
CudaFault NoEvent() {
  return {CudaError::kInvalidResourceHandle, "this event does not exist"};
}

}  // namespace

CudaResult<StreamId> Streams::Create(ClientId client, StreamFlags flags) {
  streams_[next_stream_] = {client, flags, {}};
  return next_stream_++;
}

CudaStatus Streams::Destroy(ClientId client, StreamId stream) {
  auto entry = streams_.find(stream);
  if (entry == streams_.end() || entry->second.client != client) return NoStream();
  // cudaStreamDestroy lets pending work finish.
  CudaStatus status = Synchronize(stream);
  streams_.erase(stream);
  return status;
}

CudaStatus Streams::Submit(StreamId stream, std::string what, Work work) {
  if (!Exists(stream)) return NoStream();
  if (stream == 0 || streams_[stream].flags == StreamFlags::kBlocking) return work();
  streams_[stream].pending.push_back({std::move(what), std::move(work)});
  return Unit{};
}

CudaStatus Streams::RunFirst(StreamId stream) {
  auto& pending = streams_[stream].pending;
  Item item = std::move(pending.front());
  pending.pop_front();
  return item.work();
}

CudaResult<bool> Streams::Query(StreamId stream) {
  if (!Exists(stream)) return NoStream();
  if (stream == 0) return true;
  // Each question lets one piece of work pass, so that a loop that asks comes to an end.
  if (streams_[stream].pending.empty()) return true;
  if (auto status = RunFirst(stream); !status) return status.error();
  return streams_[stream].pending.empty();
}

CudaStatus Streams::Synchronize(StreamId stream) {
  if (!Exists(stream)) return NoStream();
  CudaStatus first = Unit{};
  while (stream != 0 && streams_.contains(stream) && !streams_[stream].pending.empty()) {
    if (auto status = RunFirst(stream); !status && first) first = status;
  }
  return first;
}

CudaStatus Streams::SynchronizeAll() {
  CudaStatus first = Unit{};
  std::vector<StreamId> ids;
  for (const auto& [id, stream] : streams_) ids.push_back(id);
  for (StreamId id : ids) {
    if (auto status = Synchronize(id); !status && first) first = status;
  }
  return first;
}

std::vector<PendingWork> Streams::Pending() const {
  std::vector<PendingWork> all;
  for (const auto& [id, stream] : streams_) {
    for (const Item& item : stream.pending) {
      if (!item.what.empty()) all.push_back({id, item.what});
    }
  }
  return all;
}

CudaResult<EventId> Streams::CreateEvent(ClientId client) {
  events_[next_event_] = {client, 0, 0, 0, 0};
  return next_event_++;
}

CudaStatus Streams::DestroyEvent(ClientId client, EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end() || entry->second.client != client) return NoEvent();
  events_.erase(entry);
  return Unit{};
}

CudaStatus Streams::Record(EventId event, StreamId stream, std::function<double()> now) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  if (!Exists(stream)) return NoStream();
  entry->second.stream = stream;
  const std::uint64_t recording = ++entry->second.recorded;
  return Submit(stream, "", [this, event, recording, now = std::move(now)]() -> CudaStatus {
    auto reached = events_.find(event);
    if (reached == events_.end()) return Unit{};  // destroyed meanwhile
    reached->second.reached = recording;
    reached->second.seconds = now();
    return Unit{};
  });
}

/// Runs the event's stream up to the given recording.
CudaStatus Streams::RunUntil(EventId event, std::uint64_t recording) {
  for (;;) {
    auto entry = events_.find(event);
    if (entry == events_.end() || entry->second.reached >= recording) return Unit{};
    const StreamId stream = entry->second.stream;
    if (stream == 0 || !streams_.contains(stream) || streams_[stream].pending.empty()) return Unit{};
    if (auto status = RunFirst(stream); !status) return status;
  }
}

CudaStatus Streams::Wait(StreamId stream, EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  if (!Exists(stream)) return NoStream();
  // A later recording does not move what was asked for.
  const std::uint64_t recording = entry->second.recorded;
  return Submit(stream, "", [this, event, recording] { return RunUntil(event, recording); });
}

CudaResult<bool> Streams::QueryEvent(EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  if (entry->second.reached == entry->second.recorded) return true;
  if (auto done = Query(entry->second.stream); !done) return done.error();
  return entry->second.reached == entry->second.recorded;
}

CudaStatus Streams::SynchronizeEvent(EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  return RunUntil(event, entry->second.recorded);
}

CudaResult<float> Streams::ElapsedMilliseconds(EventId start, EventId stop) {
  auto first = events_.find(start), last = events_.find(stop);
  if (first == events_.end() || last == events_.end()) return NoEvent();
  for (const Event* event : {&first->second, &last->second}) {
    if (!event->recorded)
      return CudaFault{CudaError::kInvalidResourceHandle, "this event was never recorded"};
    if (event->reached != event->recorded) {
      return CudaFault{CudaError::kNotReady, "this event was recorded and its stream has not reached it"};
    }
  }
  return static_cast<float>((last->second.seconds - first->second.seconds) * 1e3);
}

void Streams::DropClient(ClientId client) {
  std::erase_if(streams_, [&](const auto& entry) { return entry.second.client == client; });
  std::erase_if(events_, [&](const auto& entry) { return entry.second.client == client; });
}

}  // namespace warplings
