// SPDX-License-Identifier: Apache-2.0
#include "grader/device/streams.h"

#include <new>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

CudaFault NoStream() {
  return {CudaError::kInvalidResourceHandle, say::no_such_stream()};
}
CudaFault NoEvent() {
  return {CudaError::kInvalidResourceHandle, say::no_such_event()};
}

}  // namespace

// --- Streams ---------------------------------------------------------------------------------------

CudaResult<StreamId> Streams::Create(ClientId client, StreamFlags flags) {
  streams_[next_stream_] = {client, flags, {}, {}, false};
  return next_stream_++;
}

CudaStatus Streams::Destroy(ClientId client, StreamId stream) {
  if (stream == 0 || !Exists(stream) || streams_[stream].client != client) return NoStream();
  streams_[stream].is_destroyed = true;
  return RunUntil({stream, 0});  // Runs nothing, but tells what went wrong before.
}

bool Streams::RunsAtOnce(StreamId stream) const {
  if (stream == 0) return true;
  auto entry = streams_.find(stream);
  return entry != streams_.end() && entry->second.flags == StreamFlags::kBlocking;
}

CudaStatus Streams::Submit(StreamId stream, Message what, Work work, std::uint64_t bytes) {
  if (!Exists(stream)) return NoStream();
  if (RunsAtOnce(stream)) return work();
  return Keep({stream, std::move(what), std::move(work), {}, false, bytes});
}

CudaResult<Streams::HostFunction> Streams::SubmitHostFunction(StreamId stream) {
  if (!Exists(stream)) return NoStream();
  if (RunsAtOnce(stream)) return HostFunction{0};
  const Place place = next_place_;
  if (auto kept = Keep({stream, say::pending_host_function(), nullptr, {}, true, 0}); !kept)
    return kept.error();
  return pending_.contains(place) ? place : HostFunction{0};
}

std::vector<Streams::Point> Streams::PointsOf(ClientId client, protocol::Awaited awaited,
                                              std::uint64_t id) const {
  const auto event = events_.find(id);
  const Point recorded = event == events_.end() ? Point{} : event->second.point;
  switch (awaited) {
    case protocol::Awaited::kStream: return {{id, kEnd}};
    case protocol::Awaited::kStreamQuery: return {FirstOf(id)};
    case protocol::Awaited::kEvent: return {recorded};
    case protocol::Awaited::kEventQuery: return {Reached(recorded) ? Point{} : FirstOf(recorded.stream)};
    case protocol::Awaited::kAll: break;
  }
  std::vector<Point> all;
  for (const auto& [stream, state] : streams_) {
    if (state.client == client) all.push_back({stream, kEnd});
  }
  return all;
}

CudaResult<Streams::HostFunction> Streams::AdvanceTo(ClientId client, protocol::Awaited awaited,
                                                     std::uint64_t id) {
  for (const Point& point : PointsOf(client, awaited, id)) {
    CudaStatus first = Unit{};
    const HostFunction function = Run(point, true, first);
    const auto stream = streams_.find(point.stream);
    if (!first && stream != streams_.end() && !stream->second.early_fault)
      stream->second.early_fault = first.error();
    DropIfDone(point.stream);
    if (function != 0) return function;
  }
  return HostFunction{0};
}

void Streams::EndHostFunction(ClientId client, HostFunction function) {
  const auto entry = pending_.find(function);
  if (entry == pending_.end() || streams_.at(entry->second.stream).client != client) return;
  entry->second.is_host_function = false;
}

CudaResult<bool> Streams::Query(StreamId stream) {
  if (!Exists(stream)) return NoStream();
  if (stream == 0) return true;
  if (auto status = RunNext(stream); !status) return status.error();
  return streams_[stream].order.empty();
}

CudaStatus Streams::Synchronize(StreamId stream) {
  if (!Exists(stream)) return NoStream();
  return RunUntil({stream, kEnd});
}

CudaStatus Streams::SynchronizeAll() {
  CudaStatus first = Unit{};
  std::vector<StreamId> all;  // A destroyed stream goes with its last work.
  for (const auto& [id, stream] : streams_) all.push_back(id);
  for (const StreamId id : all) {
    if (auto status = RunUntil({id, kEnd}); !status && first) first = status;
  }
  return first;
}

std::vector<PendingWork> Streams::Pending() const {
  std::vector<PendingWork> all;
  for (const auto& [id, stream] : streams_) {
    for (Place place : stream.order) {
      const Entry& entry = pending_.at(place);
      if (!entry.what.empty()) all.push_back({id, entry.what});
    }
  }
  return all;
}

// --- Kept work -------------------------------------------------------------------------------------

bool Streams::Reached(const Point& point) const {
  auto entry = streams_.find(point.stream);
  if (entry == streams_.end()) return true;  // the default stream, or one that is gone
  const std::deque<Place>& order = entry->second.order;
  return order.empty() || order.front() > point.place;
}

CudaStatus Streams::RunUntil(const Point& point) {
  CudaStatus first = Unit{};
  if (auto entry = streams_.find(point.stream); entry != streams_.end()) {
    if (auto fault = std::exchange(entry->second.early_fault, std::nullopt)) first = *fault;
  }
  Run(point, false, first);
  DropIfDone(point.stream);
  return first;
}

Streams::HostFunction Streams::Run(const Point& point, bool stops, CudaStatus& first) {
  // A stack of its own and no recursion: a program may chain as many waits as it likes. Each point on it has
  // a smaller place than the one below, so that it comes to an end.
  std::vector<Point> points{point};
  while (!points.empty()) {
    const Point wanted = points.back();
    if (Reached(wanted)) {
      points.pop_back();
      continue;
    }
    const Place next = streams_[wanted.stream].order.front();
    const Point awaited = pending_.at(next).awaited;
    if (stops && pending_.at(next).is_host_function) return next;
    if (!Reached(awaited)) {
      points.push_back(awaited);
    } else {
      if (auto status = RunFirst(wanted.stream); !status && first) first = status;
      if (wanted.stream != point.stream) DropIfDone(wanted.stream);
    }
  }
  return 0;
}

Streams::Point Streams::FirstOf(StreamId stream) const {
  const auto entry = streams_.find(stream);
  const bool is_idle = entry == streams_.end() || entry->second.order.empty();
  return {stream, is_idle ? 0 : entry->second.order.front()};
}

CudaStatus Streams::RunNext(StreamId stream) {
  return RunUntil(FirstOf(stream));
}

void Streams::DropIfDone(StreamId stream) {
  const auto entry = streams_.find(stream);
  if (entry == streams_.end()) return;
  const Stream& done = entry->second;
  if (done.is_destroyed && done.order.empty() && !done.early_fault) streams_.erase(entry);
}

CudaStatus Streams::RunFirst(StreamId stream) {
  std::deque<Place>& order = streams_[stream].order;
  const auto entry = pending_.extract(order.front());
  order.pop_front();
  pending_bytes_ -= entry.mapped().bytes;
  return entry.mapped().work ? entry.mapped().work() : CudaStatus(Unit{});
}

CudaStatus Streams::Keep(Entry entry) {
  MakeRoom(entry.bytes);
  // Larger than the whole budget: all earlier work has run by now, so this may as well.
  if (entry.bytes > budget_.bytes || budget_.entries == 0)
    return entry.work ? entry.work() : CudaStatus(Unit{});
  // Made first, so that the two books agree where there is no memory for one of them.
  decltype(pending_) made;
  const Entry& kept = made.emplace(next_place_, std::move(entry)).first->second;
  streams_.at(kept.stream).order.push_back(next_place_);
  pending_bytes_ += kept.bytes;
  pending_.insert(made.extract(made.begin()));
  ++next_place_;
  return Unit{};
}

void Streams::MakeRoom(std::uint64_t bytes) {
  const auto fits = [&] {
    return pending_.size() < budget_.entries && bytes <= budget_.bytes &&
           pending_bytes_ <= budget_.bytes - bytes;
  };
  while (!pending_.empty() && !fits()) RunOldest();
}

void Streams::RunEarly() {
  while (!pending_.empty() && !pending_.begin()->second.is_host_function) RunOldest();
}

void Streams::RunOldest() {
  // The oldest entry of all is the first of its stream, and whatever it waits for is older and has run.
  const StreamId oldest = pending_.begin()->second.stream;
  const CudaStatus status = RunFirst(oldest);
  Stream& stream = streams_[oldest];
  if (!status && !stream.early_fault) stream.early_fault = status.error();
  DropIfDone(oldest);
}

// --- Events ----------------------------------------------------------------------------------------

CudaResult<EventId> Streams::CreateEvent(ClientId client) {
  events_[next_event_].client = client;
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
  Event& recorded = entry->second;
  const Event before = recorded;
  recorded.recorded = true;
  recorded.seconds.reset();
  if (RunsAtOnce(stream)) {
    recorded.point = {};
    recorded.seconds = now();
    return Unit{};
  }
  const Place place = next_place_;
  recorded.point = {stream, place};
  auto reach = [this, event, place, now = std::move(now)]() -> CudaStatus {
    auto reached = events_.find(event);
    // Destroyed or recorded again meanwhile: nobody asks for this time any more.
    if (reached != events_.end() && reached->second.point.place == place) reached->second.seconds = now();
    return Unit{};
  };
  try {
    return Keep({stream, "", std::move(reach), {}, false, 0});
  } catch (...) {
    recorded = before;
    throw;
  }
}

CudaStatus Streams::Wait(StreamId stream, EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  if (!Exists(stream)) return NoStream();
  const Point awaited = entry->second.point;
  if (RunsAtOnce(stream)) return RunUntil(awaited);
  if (Reached(awaited)) return Unit{};
  return Keep({stream, "", nullptr, awaited, false, 0});
}

CudaResult<bool> Streams::QueryEvent(EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  const Point point = entry->second.point;
  if (Reached(point)) return true;
  if (auto status = RunNext(point.stream); !status) return status.error();
  return Reached(point);
}

CudaStatus Streams::SynchronizeEvent(EventId event) {
  auto entry = events_.find(event);
  if (entry == events_.end()) return NoEvent();
  return RunUntil(entry->second.point);
}

CudaResult<float> Streams::ElapsedMilliseconds(EventId start, EventId stop) {
  auto first = events_.find(start), last = events_.find(stop);
  if (first == events_.end() || last == events_.end()) return NoEvent();
  if (!first->second.recorded || !last->second.recorded)
    return CudaFault{CudaError::kInvalidResourceHandle, say::event_never_recorded()};
  if (!first->second.seconds || !last->second.seconds)
    return CudaFault{CudaError::kNotReady, say::event_not_reached()};
  return static_cast<float>((*last->second.seconds - *first->second.seconds) * 1e3);
}

std::vector<StreamId> Streams::DropClient(ClientId client) {
  std::vector<StreamId> dropped;
  for (const auto& [id, stream] : streams_) {
    if (stream.client == client) dropped.push_back(id);
  }
  std::erase_if(streams_, [&](const auto& entry) {
    const Stream& stream = entry.second;
    if (stream.client != client) return false;
    for (Place place : stream.order) {
      pending_bytes_ -= pending_.at(place).bytes;
      pending_.erase(place);
    }
    return true;
  });
  std::erase_if(events_, [&](const auto& entry) { return entry.second.client == client; });
  return dropped;
}

}  // namespace warplings
