// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <vector>

namespace warplings::fuzz {

/// A model of the ordering guarantees of CUDA, independent of any implementation: for each point of a
/// program, the set of work that is guaranteed to be complete.
///
/// The rules, of the CUDA Runtime API's reference:
///
/// - Work in a stream runs in the order in which it was issued.
/// - "Stream synchronization behavior", "Legacy default stream": for an action in it, "the legacy stream
///   first waits on all blocking streams, the action is queued in the legacy stream, and then all blocking
///   streams wait on the legacy stream"; cudaStreamWaitEvent is an action, like a launch. Non-blocking
///   streams take no part. A per-thread default stream is a blocking stream and needs no rule here.
/// - cudaEventRecord "captures in event the contents of stream at the time of this call"; recording it again
///   overwrites that; cudaStreamWaitEvent uses "the most recently captured state at the time of the API
///   call", and is "not affected by later calls to cudaEventRecord"; before the first recording an event is
///   "an empty set of work".
/// - cudaEventDestroy of an event that is not complete "does not block", and frees it at completion: earlier
///   waits for it stay. Likewise, after cudaStreamDestroy the stream's work is still done.
/// - cudaStreamQuery and cudaEventQuery that succeed say that the work is complete, like a synchronisation.
/// - cudaEventElapsedTime returns cudaErrorInvalidResourceHandle if an event was never recorded, and
///   cudaErrorNotReady if one is not complete.
///
/// Where the reference leaves something open, nothing is promised here: whether cudaStreamSynchronize of a
/// blocking stream waits for the legacy stream if nothing was asked of the stream since, and the reverse;
/// whether the legacy stream waits for a destroyed blocking stream; whether cudaFree waits.
class StreamOrder {
 public:
  static constexpr std::size_t kMostWork = 256;
  using Set = std::bitset<kMostWork>;
  using Number = std::size_t;  ///< Number of a stream, or of an event, in order of creation.
  static constexpr Number kLegacy = 0;

  Number AddStream(bool blocking) {
    streams_.push_back({blocking, {}});
    return streams_.size() - 1;
  }
  void DestroyStream(Number stream) { streams_[stream] = {}; }
  Number AddEvent() {
    events_.emplace_back();
    return events_.size() - 1;
  }

  /// The work that is complete when the next work issued to the stream begins.
  Set Before(Number stream) const {
    const Stream& own = streams_[stream];
    Set before = complete_ | own.last;
    if (stream == kLegacy) {
      for (const Stream& other : streams_) {
        if (other.blocking) before |= other.last;
      }
    } else if (own.blocking) {
      before |= streams_[kLegacy].last;
    }
    return before;
  }
  bool HasRoom() const { return asked_ < kMostWork; }
  /// Issues work and returns its number. There must be room for another number; the same holds for recordings
  /// and waits.
  std::size_t Ask(Number stream) {
    streams_[stream].last = Before(stream).set(asked_);
    return asked_++;
  }
  /// Takes a number, like work.
  void Record(Number event, Number stream) {
    const std::size_t recording = Ask(stream);
    events_[event] = {recording, streams_[stream].last};
  }
  /// Takes a number, too: the stream may not have reached the wait yet when everything that it waits for is
  /// complete.
  void Wait(Number stream, Number event) {
    Ask(stream);
    streams_[stream].last |= events_[event].captured;
  }

  // --- What the host knows.
  const Set& complete() const { return complete_; }
  void StreamIsComplete(Number stream) { complete_ |= streams_[stream].last; }
  void EventIsComplete(Number event) { complete_ |= events_[event].captured; }
  void AllIsComplete() {
    for (std::size_t i = 0; i < asked_; ++i) complete_.set(i);
  }
  /// True if a query must succeed, whatever CUDA leaves open.
  bool StreamMustBeComplete(Number stream) const { return (Before(stream) & ~complete_).none(); }
  bool EventMustBeComplete(Number event) const { return (events_[event].captured & ~complete_).none(); }
  bool WasRecorded(Number event) const { return events_[event].recording.has_value(); }
  /// True if `first` is guaranteed to be reached before `second`.
  bool IsBefore(Number first, Number second) const {
    return first != second && WasRecorded(first) && events_[second].captured[*events_[first].recording];
  }

 private:
  struct Stream {
    bool blocking = false;
    Set last;  ///< The last work issued to it, and all work that is complete before that.
  };
  struct Event {
    std::optional<std::size_t> recording;
    Set captured;
  };
  std::vector<Stream> streams_{{true, {}}};
  std::vector<Event> events_;
  Set complete_;  ///< Work that the host knows to be complete.
  std::size_t asked_ = 0;
};

}  // namespace warplings::fuzz
