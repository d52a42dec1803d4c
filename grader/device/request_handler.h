// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "grader/device/model/ledger.h"
#include "grader/device/model/local_device.h"
#include "grader/device/protocol.h"
#include "grader/device/recorder.h"
#include "grader/device/session.h"

namespace warplings {

/// Executes requests: has the ledger check that the connection owns the objects that it names and that counts
/// and ranges are valid, and calls the device. Knows nothing about sockets; the server checks which calls a
/// connection may make.
class RequestHandler {
 public:
  /// Functions that only the server can provide.
  struct Hooks {
    std::function<CudaResult<ClientId>(UniqueFd socket, const protocol::AttachClient& request)> attach;
    std::function<void(ClientId client)> drop;
    std::function<protocol::Served(ClientId client, bool hold)> hold;
    std::function<std::vector<protocol::Violation>()> take_violations;
    std::function<protocol::InternalFaults()> take_internal_faults;
  };

  /// `devices` by ordinal; at least one.
  RequestHandler(std::vector<LocalDevice*> devices, ClientLimits limits, Hooks hooks)
      : devices_(std::move(devices)), hooks_(std::move(hooks)), ledger_(limits) {}

  /// Executes a call; one function for each row of calls.h. Those for timed runs are in
  /// request_handler_timing.cc.
#define WARPLINGS_HANDLE(opcode, Request, ...) \
  CudaResult<protocol::ReplyTo<protocol::Request>> Handle(Session&, const protocol::Request&);
  WARPLINGS_CALLS(WARPLINGS_HANDLE)
#undef WARPLINGS_HANDLE

  /// True while this client's requests must wait because its recorded call is timed.
  bool Suspends(ClientId client) const {
    return recorder_.Suspends(client);
  }

  /// Frees everything that the connection owned, on all devices.
  void Forget(const Session& session);
  std::size_t device_count() const {
    return devices_.size();
  }
  const Ledger& ledger() const {
    return ledger_;
  }

 private:
  LocalDevice& DeviceFor(const Session& session) {
    return *devices_[session.device];
  }
  void ForgetOnDevice(const Ledger::Place& owner);
  /// Frees the memory that a recording has kept.
  void ReleaseKept();
  /// LocalDevice::Allocate. If memory is short because a recording keeps some, frees that and tries again.
  CudaResult<Allocation> AllocateFor(Session& session, const protocol::Allocate& request);

  CudaStatus CheckPiece(const Session& session, DevicePointer address, const protocol::Piece& piece) const;

  /// Checks that all blocks of a cooperative launch can be resident at once, which grid-wide synchronisation
  /// requires.
  CudaStatus CheckCooperative(LocalDevice& device, const LaunchRequest& request);

  const std::vector<LocalDevice*> devices_;
  const Hooks hooks_;
  Ledger ledger_;
  Recorder recorder_;
  std::chrono::steady_clock::time_point live_start_;
};

}  // namespace warplings
