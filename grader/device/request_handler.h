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

  CudaResult<protocol::HelloReply> Handle(Session&, const protocol::Hello&);

  CudaResult<protocol::Nothing> Handle(Session&, const protocol::UploadModule&);
  CudaResult<protocol::Value<ModuleId>> Handle(Session&, const protocol::LoadModule&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::UnloadModule&);
  CudaResult<protocol::Value<KernelInfo>> Handle(Session&, const protocol::FindKernel&);
  CudaResult<protocol::Value<VariableInfo>> Handle(Session&, const protocol::FindVariable&);
  CudaResult<protocol::Value<std::vector<KernelResources>>> Handle(Session&,
                                                                   const protocol::ListKernelResources&);
  CudaResult<protocol::Value<std::uint32_t>> Handle(Session&, const protocol::BlocksPerMultiprocessor&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SetMaxDynamicShared&);

  CudaResult<protocol::AllocateReply> Handle(Session&, const protocol::Allocate&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::Free&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SetLabel&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::MarkUninitialised&);
  CudaResult<protocol::Value<Device::MemoryInfo>> Handle(Session&, const protocol::GetMemoryInfo&);
  CudaResult<protocol::Value<Device::PointerInfo>> Handle(Session&, const protocol::GetPointerInfo&);

  CudaResult<protocol::Nothing> Handle(Session&, const protocol::CopyIn&);
  CudaResult<protocol::Value<std::vector<std::byte>>> Handle(Session&, const protocol::CopyOut&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::CopyWithin&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::Fill&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::Launch&);

  CudaResult<protocol::Value<StreamId>> Handle(Session&, const protocol::CreateStream&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::DestroyStream&);
  CudaResult<protocol::Value<bool>> Handle(Session&, const protocol::QueryStream&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SynchronizeStream&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SynchronizeAll&);
  CudaResult<protocol::Value<EventId>> Handle(Session&, const protocol::CreateEvent&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::DestroyEvent&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::RecordEvent&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::WaitEvent&);
  CudaResult<protocol::Value<bool>> Handle(Session&, const protocol::QueryEvent&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SynchronizeEvent&);
  CudaResult<protocol::Value<float>> Handle(Session&, const protocol::ElapsedMilliseconds&);

  CudaResult<protocol::Nothing> Handle(Session&, const protocol::ReportRefusal&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::Reset&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::SetObservation&);
  CudaResult<protocol::Value<std::vector<PendingWork>>> Handle(Session&, const protocol::ListPendingWork&);
  CudaResult<protocol::Value<std::vector<Finding>>> Handle(Session&, const protocol::TakeFindings&);
  CudaResult<protocol::Value<std::vector<LaunchRecord>>> Handle(Session&, const protocol::TakeLaunches&);
  CudaResult<protocol::Value<std::vector<ArrayWriters>>> Handle(Session&, const protocol::ListArrayWriters&);
  CudaResult<protocol::Value<std::vector<KernelProfile>>> Handle(Session&, const protocol::TakeProfile&);
  CudaResult<protocol::Value<std::string>> Handle(Session&, const protocol::TakePrinted&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::AddFinding&);
  CudaResult<protocol::Value<ClientId>> Handle(Session&, const protocol::AttachClient&);
  CudaResult<protocol::Served> Handle(Session&, const protocol::HoldClient&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::DropClient&);
  CudaResult<protocol::Value<std::vector<protocol::Violation>>> Handle(
      Session&, const protocol::TakeProtocolViolations&);

  // Timed runs (request_handler_timing.cc).
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::BeginRecording&);
  CudaResult<protocol::RecordingInfo> Handle(Session&, const protocol::EndRecording&);
  CudaResult<protocol::Value<Timing>> Handle(Session&, const protocol::Replay&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::BeginLive&);
  CudaResult<protocol::Value<Timing>> Handle(Session&, const protocol::EndLive&);
  CudaResult<protocol::Nothing> Handle(Session&, const protocol::DropRecording&);
  /// Requests of this client wait while its recorded call is timed.
  bool Suspends(ClientId client) const { return recorder_.Suspends(client); }

  /// Frees what the connection owned, on all devices.
  void Forget(const Session& session);
  std::size_t device_count() const { return devices_.size(); }

 private:
  struct Owned {
    std::uint64_t bytes = 0;
    ClientId owner = 0;
    bool shared = false;
    std::size_t device = 0;
  };

  Device& DeviceFor(const Session& session) { return *devices_[session.device]; }
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
