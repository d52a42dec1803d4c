// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "grader/device/device.h"

namespace warplings {

/// What one call of a client's function asked of the device, kept as a list that can be run again without the
/// client: that is how a submission's kernels are timed and its host code is not.
///
/// Theory of operation
///
///     Begin(client)   what the client asks for is done, and noted
///     End()           from here on nothing that the client asks is served (Suspends): whatever threads it
///     has
///                     cannot compute results early, free what the list needs, or work beside the timed runs
///     Run()           the list, as often as wanted; the judge writes other inputs to the same arrays between
///     BeginLive()     for a call that cannot be replayed: the client is served again …
///     EndLive()       … until here
///     Drop()          the client is served again
///
/// A call can be replayed when the list does not depend on what is in device memory. So it cannot when the
/// host code saw results (a copy to the host, memory shared with the host, a clock, a question whether work
/// is done) and asked for work after that. Work of several streams is run one after the other in the order in
/// which it was asked for, which CUDA's rules allow.
///
/// Memory that the client frees while there is a list is kept until Drop: temporaries of the recorded call
/// are there for each replay.
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

  /// Memory of the client that it has freed and the device has not.
  struct Kept {
    std::size_t device = 0;
    DevicePointer address = 0;
  };

  static constexpr std::size_t kMaximumOperations = 10'000;
  static constexpr std::size_t kMaximumKept = 10'000;
  static constexpr std::uint64_t kMaximumBytes = std::uint64_t{64} << 20;  ///< Of copies from the host.

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

  // --- While it records. Each is ignored for other clients and at other times. ------------------------
  void Note(ClientId client, std::size_t device, Operation operation);
  /// The host code saw results; `how` names it: "cudaMemcpy to the host".
  void NoteLook(ClientId client, std::string how);
  /// The call cannot be replayed, whatever comes.
  void Refuse(ClientId client, std::string reason);
  void Keep(Kept kept) { kept_.push_back(kept); }
  bool KeepsTooMuch() const { return kept_.size() >= kMaximumKept; }

  /// Empty when the call can be replayed.
  const std::string& refusal() const { return refusal_; }
  std::size_t size() const { return operations_.size(); }
  std::vector<Kept> TakeKept();

  /// All operations on the default stream of the device that they were recorded on; ends at the first that
  /// fails.
  CudaStatus Run(std::span<Device* const> devices) const;

 private:
  enum class State { kIdle, kRecording, kHeld, kLive };

  void Clear();

  State state_ = State::kIdle;
  ClientId client_ = 0;
  std::size_t device_ = 0;  ///< Of the operations; all are on one.
  std::vector<Operation> operations_;
  std::uint64_t copied_bytes_ = 0;
  std::vector<Kept> kept_;
  std::string look_;  ///< How the host code saw results; nothing was asked for since.
  std::string refusal_;
};

}  // namespace warplings
