// SPDX-License-Identifier: Apache-2.0
#include "grader/device/request_handler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/base/sha256.h"
#include "grader/device/leaks.h"
#include "grader/device/refusals.h"
#include "grader/fatbin/device_names.h"
#include "grader/messages/device.h"
#include "grader/messages/refusals.h"
#include "grader/messages/timing.h"

namespace warplings {

using namespace protocol;

namespace {

/// As WorkerProgram::image.
std::string HashOf(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.Add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return hash.Finish();
}

/// Concatenates what `take` returns for each device, in order of ordinals.
template <class Take>
auto CollectFromDevices(const std::vector<LocalDevice*>& devices, Take&& take) {
  auto all = take(*devices.front());
  for (std::size_t i = 1; i < devices.size(); ++i)
    std::ranges::move(take(*devices[i]), std::back_inserter(all));
  return all;
}

}  // namespace

CudaResult<HelloReply> RequestHandler::HandleHello(Session& session, const Hello& hello) {
  if (hello.version != kVersion) {
    return CudaFault{CudaError::kNotSupported, say::other_protocol(hello.version, kVersion)};
  }
  if (!session.staging.valid()) session.staging = SharedMemory::Create(kStagingBytes);
  if (!session.staging.valid())
    return CudaFault{CudaError::kMemoryAllocation, say::no_memory_to_copy_through()};
  session.reply_fd = session.staging.fd();
  HelloReply reply{{}, session.client, session.deliver_printed};
  for (const LocalDevice* device : devices_) reply.profiles.push_back(device->profile());
  return reply;
}

// --- Modules ---------------------------------------------------------------------------------------

CudaStatus RequestHandler::HandleUploadModule(Session& session, const UploadModule& request) {
  if (request.bytes > session.staging.bytes().size()) return InvalidRequest("The piece is too long.");
  std::vector<std::byte>& upload = session.upload();
  if (upload.size() + request.bytes > ledger_.limits().module_bytes) {
    upload = {};
    return InvalidRequest("The program's embedded kernels are larger than this device takes.");
  }
  auto piece = session.staging.bytes().first(request.bytes);
  upload.insert(upload.end(), piece.begin(), piece.end());
  return Unit{};
}

CudaResult<ModuleId> RequestHandler::HandleLoadModule(Session& session, const LoadModule&) {
  const std::vector<std::byte> fatbin = std::exchange(session.upload(), {});
  if (session.image && HashOf(fatbin) != *session.image) {
    return CudaFault{CudaError::kNotPermitted, say::kernels_of_another_file()};
  }
  if (auto room = ledger_.CheckRoomForModule(session.place(), fatbin.size()); !room) return room.error();
  auto module = DeviceFor(session).LoadModule(session.client, fatbin);
  if (module) ledger_.AddModule(session.place(), *module, fatbin.size());
  return module;
}

CudaStatus RequestHandler::HandleUnloadModule(Session& session, const UnloadModule& request) {
  if (!ledger_.RemoveModule(session.place(), request.module)) return InvalidHandle(say::no_such_module());
  recorder_.Refuse(session.client, say::unloaded_kernels());
  return DeviceFor(session).UnloadModule(session.client, request.module);
}

CudaResult<KernelInfo> RequestHandler::HandleFindKernel(Session& session, const FindKernel& request) {
  if (!ledger_.HasModule(session.place(), request.module)) return InvalidHandle(say::no_such_module());
  if (auto room = ledger_.CheckRoomForKernel(session.place()); !room) return room.error();
  auto kernel = DeviceFor(session).FindKernel(request.module, request.name);
  if (kernel) {
    ledger_.AddKernel(session.place(), kernel->id, {request.module, fatbin::DemangledName(request.name)});
  }
  return kernel;
}

CudaResult<VariableInfo> RequestHandler::HandleFindVariable(Session& session, const FindVariable& request) {
  if (!ledger_.HasModule(session.place(), request.module)) return InvalidHandle(say::no_such_module());
  auto variable = DeviceFor(session).FindVariable(request.module, request.name);
  if (!variable) return variable;
  const bool shared = variable->mapped_bytes != 0;
  if (shared && !IsSealedAgainstShrinking(variable->shared_fd)) return NotSealed();
  ledger_.AddVariable(session.place(), request.module, variable->address, variable->bytes,
                      shared ? AllocationKind::kManaged : AllocationKind::kDevice);
  session.reply_fd = shared ? variable->shared_fd : -1;
  if (shared) recorder_.Refuse(session.client, say::has_shared_memory_of_host());
  return variable;
}

CudaResult<std::vector<KernelResources>> RequestHandler::HandleListKernelResources(
    Session&, const ListKernelResources& request) {
  // A program that loads a module on several devices has its kernels on each.
  std::vector<KernelResources> all;
  for (LocalDevice* device : devices_) {
    for (KernelResources& kernel : device->ListKernelResources(request.client)) {
      if (std::ranges::find(all, kernel.kernel, &KernelResources::kernel) == all.end())
        all.push_back(std::move(kernel));
    }
  }
  return all;
}

CudaResult<std::uint32_t> RequestHandler::HandleBlocksPerMultiprocessor(
    Session& session, const protocol::BlocksPerMultiprocessor& request) {
  if (!ledger_.FindKernel(session.place(), request.kernel)) return InvalidHandle(say::no_such_kernel());
  return DeviceFor(session).BlocksPerMultiprocessor(request.kernel, request.block_threads,
                                                    request.dynamic_shared_bytes);
}

CudaStatus RequestHandler::HandleSetMaxDynamicShared(Session& session, const SetMaxDynamicShared& request) {
  if (!ledger_.FindKernel(session.place(), request.kernel)) return InvalidHandle(say::no_such_kernel());
  return DeviceFor(session).SetMaxDynamicShared(request.kernel, request.bytes);
}

CudaStatus RequestHandler::HandleLimitPendingLaunches(Session& session, const LimitPendingLaunches& request) {
  DeviceFor(session).LimitPendingLaunches(request.launches);
  return Unit{};
}

// --- The program as a whole -----------------------------------------------------------------------

CudaStatus RequestHandler::HandleReportRefusal(Session& session, const ReportRefusal& request) {
  DeviceFor(session).AddFinding(FindingForRefusal(request));
  return Unit{};
}

CudaStatus RequestHandler::HandleReset(Session& session, const Reset&) {
  ++session.served.resets;
  ForgetOnDevice(session.place());
  session.upload() = {};
  recorder_.Refuse(session.client, say::called_device_reset());
  return Unit{};
}

// --- Observation -----------------------------------------------------------------------------------

CudaStatus RequestHandler::HandleSetObservation(Session&, const SetObservation& request) {
  checks_ = request.options.checks;
  for (LocalDevice* device : devices_) device->SetObservation(request.options);
  return Unit{};
}

CudaResult<std::vector<PendingWork>> RequestHandler::HandleListPendingWork(Session&, const ListPendingWork&) {
  return CollectFromDevices(devices_, [](LocalDevice& device) { return device.ListPendingWork(); });
}

CudaResult<std::vector<Finding>> RequestHandler::HandleTakeFindings(Session&, const TakeFindings&) {
  // Findings are taken at the end of a call or of a program: what is still allocated then is a leak.
  for (std::size_t device = 0; device < devices_.size(); ++device)
    ReportLeaks(device, ledger_.TakeLeaks(device, std::nullopt));
  return CollectFromDevices(devices_, [](LocalDevice& device) { return device.TakeFindings(); });
}

CudaResult<std::vector<LaunchRecord>> RequestHandler::HandleTakeLaunches(Session&, const TakeLaunches&) {
  return CollectFromDevices(devices_, [](LocalDevice& device) { return device.TakeLaunches(); });
}

CudaResult<std::vector<ArrayWriters>> RequestHandler::HandleListArrayWriters(Session&,
                                                                             const ListArrayWriters&) {
  return CollectFromDevices(devices_, [](LocalDevice& device) { return device.ListArrayWriters(); });
}

CudaResult<std::vector<KernelProfile>> RequestHandler::HandleTakeProfile(Session&, const TakeProfile&) {
  std::vector<KernelProfile> all;
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    for (KernelProfile& profile : devices_[device]->TakeProfile()) {
      profile.device = static_cast<std::uint32_t>(device);
      all.push_back(std::move(profile));
    }
  }
  return all;
}

CudaResult<std::string> RequestHandler::HandleTakePrinted(Session& session, const TakePrinted&) {
  for (LocalDevice* device : devices_) session.printed += device->TakePrinted();
  // An untrusted connection gets it in pieces that surely fit its socket, and asks until there is none.
  std::size_t size = session.trusted ? session.printed.size() : kInlineBytes;
  std::string piece = session.printed.substr(0, size);
  session.printed.erase(0, piece.size());
  return piece;
}

CudaStatus RequestHandler::HandleAddFinding(Session& session, const AddFinding& request) {
  DeviceFor(session).AddFinding(request.finding);
  return Unit{};
}

CudaResult<std::vector<DeviceUse>> RequestHandler::HandleTakeDeviceUse(Session&, const TakeDeviceUse&) {
  for (std::size_t device = 0; device < uses_.size(); ++device) {
    const Ledger::MemoryUse memory = ledger_.TakeMemoryUse(device);
    uses_[device].allocations = memory.allocations;
    uses_[device].most_bytes = memory.most_bytes;
    uses_[device].wrote_host_memory = devices_[device]->WroteHostMemory();
  }
  return std::exchange(uses_, std::vector<DeviceUse>(devices_.size()));
}

CudaResult<ClientId> RequestHandler::HandleAttachClient(Session& session, const AttachClient& request) {
  if (session.received_fds.empty()) return InvalidRequest("No socket came with AttachClient.");
  UniqueFd socket = std::move(session.received_fds.front());
  session.received_fds.erase(session.received_fds.begin());
  return hooks_.attach(std::move(socket), request);
}

CudaResult<Served> RequestHandler::HandleHoldClient(Session&, const protocol::HoldClient& request) {
  return hooks_.hold(request.client, request.hold);
}

CudaStatus RequestHandler::HandleDropClient(Session&, const protocol::DropClient& request) {
  hooks_.drop(request.client);
  return Unit{};
}

CudaResult<std::vector<Violation>> RequestHandler::HandleTakeProtocolViolations(
    Session&, const TakeProtocolViolations&) {
  return hooks_.take_violations();
}

CudaResult<protocol::InternalFaults> RequestHandler::HandleTakeInternalFaults(
    Session&, const protocol::TakeInternalFaults&) {
  return hooks_.take_internal_faults();
}

void RequestHandler::Forget(const Session& session) {
  for (std::size_t device = 0; device < devices_.size(); ++device) ForgetOnDevice({session.client, device});
  if (!recorder_.idle() && recorder_.client() == session.client) recorder_.Drop();
}

void RequestHandler::ForgetOnDevice(const Ledger::Place& owner) {
  const Ledger::Leaks leaks = ledger_.TakeLeaks(owner.device, owner.client);
  LocalDevice& device = *devices_[owner.device];
  device.DropClient(owner.client);
  // After an error that poisons a card's context nothing can be freed any more; the process goes with it.
  for (const auto& [start, memory] : ledger_.Forget(owner)) static_cast<void>(device.Release(start).ok());
  // Last, because it needs memory.
  ReportLeaks(owner.device, leaks);
}

void RequestHandler::ReportLeaks(std::size_t device, const Ledger::Leaks& leaks) {
  protocol::Amount& never_freed = uses_[device].never_freed;
  never_freed = {never_freed.count + leaks.count, never_freed.bytes + leaks.bytes};
  if (!checks_) return;
  if (auto leak = FindingForLeaks(leaks)) devices_[device]->AddFinding(*std::move(leak));
}

}  // namespace warplings
