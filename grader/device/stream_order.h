// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "grader/device/device.h"

namespace warplings {

/// Which operations of a device, or of several, CUDA orders: happens-before between streams and the host,
/// whatever order they run in here.
///
/// Streams and events are numbered by device: with several, both are given as InDevice() makes them.
///
/// Theory of operation: vector clocks. Each stream is a *timeline*, and its operations are numbered. A clock
/// says for each timeline how many of its operations have ended. Each stream has a clock, each event that was
/// recorded, and the host: what it has waited for. An operation starts after what its stream's clock and the
/// host's clock hold at that moment.
///
///   - A device's legacy default stream also starts after all its blocking streams, and they after it.
///   - Recording an event keeps the stream's clock; waiting for the event adds it to a stream's or the
///   host's.
///   - All host threads count as one. So a missing synchronisation between host threads is not seen, and none
///     is reported that is there.
class StreamOrder {
 public:
  /// By timeline; a timeline beyond the end: 0.
  using Clock = std::vector<std::uint64_t>;

  /// An operation that was issued: the `number`-th of its timeline.
  struct Issued {
    std::uint32_t timeline = 0;  ///< 0: the legacy default stream; the others by order of creation, from 1.
    std::uint64_t number = 0;
    std::uint64_t position = 0;  ///< In the order of issue of all streams.
    Clock before;                ///< What has ended when it starts.
    /// Of several devices: the one that it runs on.
    std::optional<std::uint32_t> device{};

    bool IsAfter(const Issued& other) const {
      return other.timeline < before.size() && before[other.timeline] >= other.number;
    }
  };

  StreamOrder();

  static StreamId InDevice(std::size_t device, std::uint64_t id) {
    return id | std::uint64_t{device} << kDeviceShift;
  }
  static std::size_t DeviceOf(std::uint64_t id) { return id >> kDeviceShift; }
  /// One more device, with the next ordinal. No stream has been created yet.
  void AddDevice();
  std::size_t devices() const { return devices_; }
  /// From now on, operations of different devices can access the same memory.
  void JoinDevices() { matters_ = true; }

  void Create(StreamId stream, StreamFlags flags);
  /// Its operations stay in the order.
  void Destroy(StreamId stream);
  /// True from when two operations can be unordered: two streams exist besides the default stream, or one
  /// that does not wait for it.
  bool matters() const { return matters_ && !has_too_many_; }

  Issued Issue(StreamId stream);
  void Record(EventId event, StreamId stream);
  void Forget(EventId event) { events_.erase(event); }
  /// Forgets all events for which gone(event) is true.
  template <class Predicate>
  void ForgetEvents(Predicate gone) {
    std::erase_if(events_, [&](const auto& entry) { return gone(entry.first); });
  }
  void Wait(StreamId stream, EventId event);

  // The host waits.
  void AwaitStream(StreamId stream);
  void AwaitEvent(EventId event);
  /// All of one device.
  void AwaitAll(std::size_t device = 0);
  /// Whether the host has waited for it.
  bool HostAwaited(const Issued& issued) const;
  /// Whether it has waited for all that comes before the event's last record, or nothing is known of that.
  bool HostAwaited(EventId event) const;

 private:
  struct Timeline {
    StreamId stream = 0;
    bool is_blocking = false;
    bool is_destroyed = false;
    std::uint64_t issued = 0;
    Clock clock;
  };
  /// With more, nothing is checked any more. Each pending operation has a clock of this length.
  static constexpr std::size_t kMaximumTimelines = 128;
  /// Ids are counted up, and do not get here.
  static constexpr int kDeviceShift = 48;

  /// The stream's timeline after what an operation that is issued now waits for; null for an unknown stream.
  Timeline* Enter(StreamId stream);
  /// A timeline whose stream is gone, and whose operations are known to have ended.
  bool IsFree(std::size_t timeline) const;

  std::vector<Timeline> timelines_;  ///< The first are the devices' default streams'.
  std::size_t devices_ = 1;
  std::map<StreamId, std::size_t> timeline_of_;
  std::map<EventId, Clock> events_;
  Clock host_;
  std::uint64_t positions_ = 0;
  bool matters_ = false, has_too_many_ = false;
};

}  // namespace warplings
