// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "grader/base/message.h"
#include "grader/device/model/local_device.h"

namespace warplings {

/// Records the device operations of one call of a client's function, so that they can be replayed without the
/// client: that way a submission's kernels are timed without its host code.
///
/// Theory of operation
///
///     Begin(client)   the client's requests are executed and recorded
///     End()           from now on the client is not served (Suspends): whatever threads it has cannot
///                     compute results early, free what the replay needs, or work during the timed runs
///     Run()           replays the operations, as often as needed; in between, the judge writes other inputs
///                     to the same arrays
///     BeginLive()     for a call that cannot be replayed: the client is served again …
///     EndLive()       … until here
///     Drop()          the client is served again
///
/// A call can be replayed if the operations do not depend on the contents of device memory. So it cannot be
/// if the host code observed results (by a copy to the host, memory shared with the host, a clock, a query
/// whether work is done) and issued work afterwards. Work in several streams is replayed one after the other
/// in the order of issue, which CUDA's rules allow.
///
/// Memory that the client frees during the recording is kept until Drop, by the ledger, so that temporaries
/// of the recorded call exist in each replay.
class Recorder {
 public:
  struct CopyIn {
    DevicePointer target = 0;
    std::vector<std::byte> data;
  };
  struct CopyWithin {
    DevicePointer target = 0, source = 0;
    std::uint64_t bytes = 0;
  };
  struct Fill {
    DevicePointer target = 0;
    std::uint8_t value = 0;
    std::uint64_t bytes = 0;
  };
  using Operation = std::variant<LaunchRequest, CopyIn, CopyWithin, Fill>;

  static constexpr std::size_t kMaximumOperations = 10'000;
  /// Limit on the recorded data of copies from the host.
  static constexpr std::uint64_t kMaximumBytes = std::uint64_t{64} << 20;

  void Begin(ClientId client);
  void End();
  void BeginLive();
  void EndLive();
  void Drop();

  bool idle() const { return state_ == State::kIdle; }
  bool held() const { return state_ == State::kHeld; }
  bool live() const { return state_ == State::kLive; }
  ClientId client() const { return client_; }
  bool Records(ClientId client) const { return state_ == State::kRecording && client == client_; }
  bool Suspends(ClientId client) const { return state_ == State::kHeld && client == client_; }
  bool KeepsFreed(ClientId client) const {
    return client == client_ && (state_ == State::kRecording || state_ == State::kHeld);
  }

  // --- During a recording. Ignored for other clients and at other times. ------------------------
  void Note(ClientId client, std::size_t device, Operation operation);
  /// Records that the host code observed results; `how` says by what: "cudaMemcpy to the host".
  void NoteHostObservation(ClientId client, Message how);
  /// Marks the call as impossible to replay.
  void Refuse(ClientId client, Message reason);

  /// Why the call cannot be replayed; empty if it can.
  const Message& refusal() const { return refusal_; }
  std::size_t size() const { return operations_.size(); }

  /// Replays all operations on the default stream of the device on which they were recorded; stops at the
  /// first failure.
  CudaStatus Run(std::span<LocalDevice* const> devices) const;

 private:
  enum class State { kIdle, kRecording, kHeld, kLive };

  void Clear();

  State state_ = State::kIdle;
  ClientId client_ = 0;
  std::size_t device_ = 0;  ///< The device of the operations, which all use the same one.
  std::vector<Operation> operations_;
  std::uint64_t copied_bytes_ = 0;
  Message look_;  ///< How the host code observed results, if no work was issued since.
  Message refusal_;
};

}  // namespace warplings
