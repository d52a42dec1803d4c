// SPDX-License-Identifier: Apache-2.0
#include "grader/device/stream_order.h"

#include <algorithm>

namespace warplings {
namespace {

void Join(StreamOrder::Clock& clock, const StreamOrder::Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

std::uint64_t At(const StreamOrder::Clock& clock, std::size_t timeline) {
  return timeline < clock.size() ? clock[timeline] : 0;
}

}  // namespace

StreamOrder::StreamOrder() : timelines_(1), timeline_of_{{0, 0}} {}

void StreamOrder::AddDevice() {
  const StreamId stream = InDevice(devices_++, 0);
  timeline_of_[stream] = timelines_.size();
  timelines_.emplace_back().stream = stream;
}

bool StreamOrder::IsFree(std::size_t timeline) const {
  return timelines_[timeline].is_destroyed && At(host_, timeline) >= timelines_[timeline].issued;
}

void StreamOrder::Create(StreamId stream, StreamFlags flags) {
  std::size_t timeline = devices_;
  while (timeline < timelines_.size() && !IsFree(timeline)) ++timeline;
  if (timeline == kMaximumTimelines) {
    has_too_many_ = true;
    return;
  }
  if (timeline == timelines_.size()) timelines_.emplace_back();
  Timeline& made = timelines_[timeline];
  // Numbers go on, so that an earlier stream's operations are none of this one's.
  made = {stream, flags == StreamFlags::kBlocking, false, made.issued, {}};
  timeline_of_[stream] = timeline;
  matters_ = matters_ || timelines_.size() > devices_ + 1 || !made.is_blocking;
}

void StreamOrder::Destroy(StreamId stream) {
  const auto entry = timeline_of_.find(stream);
  if (entry == timeline_of_.end() || entry->second < devices_) return;
  timelines_[entry->second].is_destroyed = true;
  timeline_of_.erase(entry);
}

StreamOrder::Timeline* StreamOrder::Enter(StreamId stream) {
  const auto entry = timeline_of_.find(stream);
  if (entry == timeline_of_.end()) return nullptr;
  Timeline& timeline = timelines_[entry->second];
  Join(timeline.clock, host_);
  const std::size_t device = DeviceOf(stream);
  if (entry->second < devices_) {
    for (const Timeline& other : timelines_) {
      if (other.is_blocking && DeviceOf(other.stream) == device) Join(timeline.clock, other.clock);
    }
  } else if (timeline.is_blocking) {
    Join(timeline.clock, timelines_[device].clock);
  }
  return &timeline;
}

StreamOrder::Issued StreamOrder::Issue(StreamId stream) {
  Timeline* timeline = Enter(stream);
  if (timeline == nullptr) return {};
  const auto index = static_cast<std::size_t>(timeline - timelines_.data());
  Issued issued{static_cast<std::uint32_t>(index), ++timeline->issued, ++positions_, timeline->clock, {}};
  if (devices_ > 1) issued.device = static_cast<std::uint32_t>(DeviceOf(stream));
  if (timeline->clock.size() <= index) timeline->clock.resize(index + 1);
  timeline->clock[index] = issued.number;
  return issued;
}

void StreamOrder::Record(EventId event, StreamId stream) {
  if (const Timeline* timeline = Enter(stream)) events_[event] = timeline->clock;
}

void StreamOrder::Wait(StreamId stream, EventId event) {
  Timeline* timeline = Enter(stream);
  const auto recorded = events_.find(event);
  if (timeline != nullptr && recorded != events_.end()) Join(timeline->clock, recorded->second);
}

void StreamOrder::AwaitStream(StreamId stream) {
  if (const Timeline* timeline = Enter(stream)) Join(host_, timeline->clock);
}

void StreamOrder::AwaitEvent(EventId event) {
  if (const auto recorded = events_.find(event); recorded != events_.end()) Join(host_, recorded->second);
}

void StreamOrder::AwaitAll(std::size_t device) {
  for (const Timeline& timeline : timelines_) {
    if (DeviceOf(timeline.stream) == device) Join(host_, timeline.clock);
  }
}

bool StreamOrder::HostAwaited(const Issued& issued) const {
  return At(host_, issued.timeline) >= issued.number;
}

bool StreamOrder::HostAwaited(EventId event) const {
  const auto recorded = events_.find(event);
  if (recorded == events_.end() || has_too_many_) return true;
  for (std::size_t timeline = 0; timeline < recorded->second.size(); ++timeline) {
    if (At(host_, timeline) < recorded->second[timeline]) return false;
  }
  return true;
}

}  // namespace warplings
