// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/protocol.h"
#include "grader/device/recorder.h"
#include "grader/device/session.h"

namespace warplings {

/// Does what requests ask: checks that the connection may name what it names, that counts and ranges
/// hold, and passes the call to the Device that it is for. Knows nothing of sockets; permissions by message
/// are the server's.
class RequestHandler {
 public:
  /// What only the server can do.
  struct Hooks {
    std::function<CudaResult<ClientId>(UniqueFd socket, bool deliver_printed)> attach;
    std::function<void(ClientId client)> drop;
    std::function<protocol::Served(ClientId client, bool hold)> hold;
    std::function<std::vector<protocol::Violation>()> take_violations;
  };

  /// `devices` by ordinal; at least one.
  RequestHandler(std::vector<Device*> devices, protocol::ClientLimits limits, Hooks hooks)
      : devices_(std::move(devices)), limits_(limits), hooks_(std::move(hooks)) {}

  /// Does what a call asks: one function for each row of calls.h. Those of timed runs are in
  /// request_handler_timing.cc.
#define WARPLINGS_HANDLE(opcode, Request, ...) \
  CudaResult<protocol::ReplyTo<protocol::Request>> Handle(Session&, const protocol::Request&);
  WARPLINGS_CALLS(WARPLINGS_HANDLE)
#undef WARPLINGS_HANDLE

  /// Requests of this client wait while its recorded call is timed.
  bool Suspends(ClientId client) const {
    return recorder_.Suspends(client);
  }

  /// Frees what the connection owned, on all devices.
  void Forget(const Session& session);
  std::size_t device_count() const {
    return devices_.size();
  }

 private:
  struct Owned {
    std::uint64_t bytes = 0;
    ClientId owner = 0;
    bool shared = false;
    std::size_t device = 0;
  };

  Device& DeviceFor(const Session& session) {
    return *devices_[session.device];
  }
  void ForgetOnDevice(const Session& session, std::size_t device);
  /// Frees the memory that a recording kept.
  void ReleaseKept();
  /// Device::Allocate; where memory is short because a recording keeps some, without that.
  CudaResult<Allocation> AllocateFor(Session& session, const protocol::Allocate& request);

  /// The allocation that holds `address`, if the connection may copy from and to it.
  const std::pair<const DevicePointer, Owned>* FindAllocation(const Session& session,
                                                              DevicePointer address) const;
  /// That [address, address + bytes) lies within one object that the connection may copy.
  CudaStatus CheckRange(const Session& session, DevicePointer address, std::uint64_t bytes) const;
  CudaStatus CheckPiece(const Session& session, DevicePointer address, const protocol::Piece& piece) const;

  /// That all blocks of a cooperative launch are resident at a time, as grid-wide synchronisation needs.
  CudaStatus CheckCooperative(Device& device, const LaunchRequest& request);

  const std::vector<Device*> devices_;
  const protocol::ClientLimits limits_;
  const Hooks hooks_;
  std::map<DevicePointer, Owned> allocations_;  ///< Of all devices: addresses are unique.
  Recorder recorder_;
  std::set<ClientId> sharing_;  ///< Clients with __managed__ variables.
  std::chrono::steady_clock::time_point live_start_;
};

}  // namespace warplings
