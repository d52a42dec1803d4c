// SPDX-License-Identifier: Apache-2.0
#include "grader/device/request_handler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/base/sha256.h"
#include "grader/device/leaks.h"
#include "grader/device/refusals.h"
#include "grader/fatbin/device_names.h"

namespace warplings {

using namespace protocol;

namespace {

CudaFault InvalidValue(std::string message) {
  return {CudaError::kInvalidValue, std::move(message)};
}

CudaFault InvalidHandle(std::string_view noun) {
  return {CudaError::kInvalidResourceHandle,
          "The " + std::string(noun) + " does not exist, or has been destroyed."};
}

/// A client that could shorten the memory behind its mapping could kill this process with SIGBUS.
CudaFault NotSealed() {
  return {CudaError::kUnknown, "The device's shared memory is not sealed."};
}

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
    return CudaFault{CudaError::kNotSupported, "The program speaks version " + std::to_string(hello.version) +
                                                   " of the device protocol, this device version " +
                                                   std::to_string(kVersion) + "."};
  }
  if (!session.staging.valid()) session.staging = SharedMemory::Create(kStagingBytes);
  if (!session.staging.valid()) return CudaFault{CudaError::kMemoryAllocation, "No memory to copy through."};
  session.reply_fd = session.staging.fd();
  HelloReply reply{{}, session.client, session.deliver_printed};
  for (const LocalDevice* device : devices_) reply.profiles.push_back(device->profile());
  return reply;
}

// --- Modules ---------------------------------------------------------------------------------------

CudaStatus RequestHandler::HandleUploadModule(Session& session, const UploadModule& request) {
  if (request.bytes > session.staging.bytes().size()) return InvalidValue("The piece is too long.");
  std::vector<std::byte>& upload = session.upload();
  if (upload.size() + request.bytes > ledger_.limits().module_bytes) {
    upload = {};
    return InvalidValue("The program's embedded kernels are larger than this device takes.");
  }
  auto piece = session.staging.bytes().first(request.bytes);
  upload.insert(upload.end(), piece.begin(), piece.end());
  return Unit{};
}

CudaResult<ModuleId> RequestHandler::HandleLoadModule(Session& session, const LoadModule&) {
  const std::vector<std::byte> fatbin = std::exchange(session.upload(), {});
  if (session.image && HashOf(fatbin) != *session.image) {
    return CudaFault{CudaError::kNotPermitted,
                     "The program registers kernels that the compiler did not make of this file."};
  }
  if (auto room = ledger_.CheckRoomForModule(session.place(), fatbin.size()); !room) return room.error();
  auto module = DeviceFor(session).LoadModule(session.client, fatbin);
  if (module) ledger_.AddModule(session.place(), *module, fatbin.size());
  return module;
}

CudaStatus RequestHandler::HandleUnloadModule(Session& session, const UnloadModule& request) {
  if (!ledger_.RemoveModule(session.place(), request.module)) return InvalidHandle("module");
  recorder_.Refuse(session.client, "it unloaded kernels");
  return DeviceFor(session).UnloadModule(session.client, request.module);
}

CudaResult<KernelInfo> RequestHandler::HandleFindKernel(Session& session, const FindKernel& request) {
  if (!ledger_.HasModule(session.place(), request.module)) return InvalidHandle("module");
  if (auto room = ledger_.CheckRoomForKernel(session.place()); !room) return room.error();
  auto kernel = DeviceFor(session).FindKernel(request.module, request.name);
  if (kernel) {
    ledger_.AddKernel(session.place(), kernel->id, {request.module, fatbin::DemangledName(request.name)});
  }
  return kernel;
}

CudaResult<VariableInfo> RequestHandler::HandleFindVariable(Session& session, const FindVariable& request) {
  if (!ledger_.HasModule(session.place(), request.module)) return InvalidHandle("module");
  auto variable = DeviceFor(session).FindVariable(request.module, request.name);
  if (!variable) return variable;
  const bool shared = variable->mapped_bytes != 0;
  if (shared && !IsSealedAgainstShrinking(variable->shared_fd)) return NotSealed();
  ledger_.AddVariable(session.place(), request.module, variable->address, variable->bytes,
                      shared ? AllocationKind::kManaged : AllocationKind::kDevice);
  session.reply_fd = shared ? variable->shared_fd : -1;
  if (shared) recorder_.Refuse(session.client, "it has memory that host and device share");
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
  if (!ledger_.FindKernel(session.place(), request.kernel)) return InvalidHandle("kernel");
  return DeviceFor(session).BlocksPerMultiprocessor(request.kernel, request.block_threads,
                                                    request.dynamic_shared_bytes);
}

CudaStatus RequestHandler::HandleSetMaxDynamicShared(Session& session, const SetMaxDynamicShared& request) {
  if (!ledger_.FindKernel(session.place(), request.kernel)) return InvalidHandle("kernel");
  return DeviceFor(session).SetMaxDynamicShared(request.kernel, request.bytes);
}

// --- Memory ----------------------------------------------------------------------------------------

CudaResult<AllocateReply> RequestHandler::HandleAllocate(Session& session, const Allocate& request) {
  const bool shared = request.kind != AllocationKind::kDevice;
  auto prepared = ledger_.PrepareMemory(session.place(), request.kind);
  if (!prepared) return prepared.error();
  auto allocation = AllocateDespiteRecording(session, request);
  if (!allocation) return allocation.error();
  if (shared && !IsSealedAgainstShrinking(allocation->shared_fd)) {
    (void)DeviceFor(session).Release(allocation->address);
    return NotSealed();
  }
  // Before anything that can fail: only the ledger knows whose it is.
  ledger_.AddMemory(std::move(*prepared), allocation->address, allocation->bytes);
  if (shared) recorder_.Refuse(session.client, "it has memory that host and device share");
  session.reply_fd = shared ? allocation->shared_fd : -1;
  return AllocateReply{allocation->address, allocation->bytes, allocation->mapped_bytes, shared};
}

CudaStatus RequestHandler::HandleFree(Session& session, const Free& request) {
  const auto memory = ledger_.CheckFree(session.client, request.address);
  if (!memory) return memory.error();
  if (recorder_.KeepsFreed(session.client)) {
    if (ledger_.KeepMemory(request.address)) return Unit{};
    recorder_.Refuse(session.client, "it frees memory too often");
    ReleaseKept();
    if (ledger_.KeepMemory(request.address)) return Unit{};
  }
  // An error is that of work which the device waited for; the memory is free all the same.
  CudaStatus freed = devices_[memory->owner.device]->Free(request.address);
  ledger_.RemoveMemory(request.address);
  return freed;
}

CudaStatus RequestHandler::HandleSetLabel(Session& session, const SetLabel& request) {
  return DeviceFor(session).SetLabel(request.address, request.label);
}

CudaStatus RequestHandler::HandleMarkUninitialised(Session& session, const MarkUninitialised& request) {
  return DeviceFor(session).MarkUninitialised(request.address, request.bytes);
}

CudaResult<MemoryInfo> RequestHandler::HandleGetMemoryInfo(Session& session, const GetMemoryInfo&) {
  return DeviceFor(session).GetMemoryInfo();
}

CudaResult<PointerInfo> RequestHandler::HandleGetPointerInfo(Session& session,
                                                             const GetPointerInfo& request) {
  const auto memory = ledger_.CheckCopy(session.client, request.address, 0);
  if (!memory) return memory.error();
  return PointerInfo{memory->start, memory->bytes, memory->kind,
                     static_cast<std::uint32_t>(memory->owner.device)};
}

CudaStatus RequestHandler::CheckPiece(const Session& session, DevicePointer address,
                                      const Piece& piece) const {
  bool inside =
      piece.bytes <= kStagingBytes && piece.bytes <= piece.total && piece.offset <= piece.total - piece.bytes;
  if (!inside) return InvalidValue("The piece is not part of its copy.");
  if (auto memory = ledger_.CheckCopy(session.client, address, piece.total); !memory) return memory.error();
  return Unit{};
}

// --- Work ------------------------------------------------------------------------------------------

CudaStatus RequestHandler::HandleCopyIn(Session& session, const CopyIn& request) {
  const Piece& piece = request.piece;
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  if (CudaStatus valid = CheckPiece(session, request.target, piece); !valid) return valid.error();
  if (piece.bytes == 0) return Unit{};
  DevicePointer target = request.target + piece.offset;
  if (!request.data.empty()) {
    if (request.data.size() != piece.bytes) return InvalidValue("The piece is not as long as it says.");
    if (recorder_.Records(session.client))
      recorder_.Note(session.client, session.device, Recorder::CopyIn{target, request.data});
    return DeviceFor(session).CopyIn(target, request.data, request.stream);
  }
  auto shared = session.staging.bytes().first(piece.bytes);
  // Nobody changes the judge's buffer behind its back.
  if (session.trusted) return DeviceFor(session).CopyIn(target, shared, request.stream);
  session.scratch.assign(shared.begin(), shared.end());
  if (recorder_.Records(session.client))
    recorder_.Note(session.client, session.device, Recorder::CopyIn{target, session.scratch});
  return DeviceFor(session).CopyIn(target, session.scratch, request.stream);
}

CudaResult<std::vector<std::byte>> RequestHandler::HandleCopyOut(Session& session, const CopyOut& request) {
  const Piece& piece = request.piece;
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  if (CudaStatus valid = CheckPiece(session, request.source, piece); !valid) return valid.error();
  recorder_.NoteHostObservation(session.client, "a copy to the host");
  std::vector<std::byte> data;
  std::span<std::byte> target = session.staging.bytes().first(piece.bytes);
  if (piece.bytes <= kInlineBytes) {
    data.resize(piece.bytes);
    target = data;
  }
  CudaStatus copied = DeviceFor(session).CopyOut(target, request.source + piece.offset, request.stream);
  if (!copied) return copied.error();
  return data;
}

CudaStatus RequestHandler::HandleCopyWithin(Session& session, const CopyWithin& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  if (auto memory = ledger_.CheckCopy(session.client, request.target, request.bytes); !memory)
    return memory.error();
  if (auto memory = ledger_.CheckCopy(session.client, request.source, request.bytes); !memory)
    return memory.error();
  recorder_.Note(session.client, session.device,
                 Recorder::CopyWithin{request.target, request.source, request.bytes});
  return DeviceFor(session).CopyWithin(request.target, request.source, request.bytes, request.stream);
}

CudaStatus RequestHandler::HandleFill(Session& session, const Fill& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  if (auto memory = ledger_.CheckCopy(session.client, request.target, request.bytes); !memory)
    return memory.error();
  recorder_.Note(session.client, session.device,
                 Recorder::Fill{request.target, request.value, request.bytes});
  return DeviceFor(session).Fill(request.target, request.value, request.bytes, request.stream);
}

CudaStatus RequestHandler::HandleLaunch(Session& session, const Launch& request) {
  if (!ledger_.FindKernel(session.place(), request.request.kernel)) return InvalidHandle("kernel");
  if (!ledger_.MayUseStream(session.place(), request.request.stream)) return InvalidHandle("stream");
  CudaStatus launched = DeviceFor(session).Launch(request.request);
  // A launch that is refused does no work, in no run.
  if (launched) recorder_.Note(session.client, session.device, request.request);
  return launched;
}

// --- Streams and events ----------------------------------------------------------------------------

CudaResult<StreamId> RequestHandler::HandleCreateStream(Session& session, const CreateStream& request) {
  if (auto room = ledger_.CheckRoomForStream(session.place()); !room) return room.error();
  auto stream = DeviceFor(session).CreateStream(session.client, request.flags);
  // Every order that a priority could give is one that CUDA allows without it, so that no device needs to
  // know.
  if (stream) {
    ledger_.AddStream(session.place(), *stream,
                      std::clamp(request.priority, kGreatestPriority, kLeastPriority));
  }
  return stream;
}

CudaResult<std::int32_t> RequestHandler::HandleGetStreamPriority(Session& session,
                                                                 const GetStreamPriority& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  return ledger_.PriorityOf(session.place(), request.stream);
}

CudaStatus RequestHandler::HandleDestroyStream(Session& session, const DestroyStream& request) {
  if (!ledger_.RemoveStream(session.place(), request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).DestroyStream(session.client, request.stream);
}

CudaResult<bool> RequestHandler::HandleQueryStream(Session& session, const QueryStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  recorder_.NoteHostObservation(session.client, "cudaStreamQuery");
  return DeviceFor(session).QueryStream(request.stream);
}

CudaStatus RequestHandler::HandleSynchronizeStream(Session& session, const SynchronizeStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).SynchronizeStream(request.stream);
}

CudaStatus RequestHandler::HandleSynchronizeAll(Session& session, const SynchronizeAll&) {
  return DeviceFor(session).SynchronizeAll();
}

CudaResult<EventId> RequestHandler::HandleCreateEvent(Session& session, const CreateEvent&) {
  if (auto room = ledger_.CheckRoomForEvent(session.place()); !room) return room.error();
  auto event = DeviceFor(session).CreateEvent(session.client);
  if (event) ledger_.AddEvent(session.place(), *event);
  return event;
}

CudaStatus RequestHandler::HandleDestroyEvent(Session& session, const DestroyEvent& request) {
  if (!ledger_.RemoveEvent(session.place(), request.event)) return InvalidHandle("event");
  return DeviceFor(session).DestroyEvent(session.client, request.event);
}

CudaStatus RequestHandler::HandleRecordEvent(Session& session, const RecordEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle("event");
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).RecordEvent(request.event, request.stream);
}

CudaStatus RequestHandler::HandleWaitEvent(Session& session, const WaitEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle("event");
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).WaitEvent(request.stream, request.event);
}

CudaResult<bool> RequestHandler::HandleQueryEvent(Session& session, const QueryEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle("event");
  recorder_.NoteHostObservation(session.client, "cudaEventQuery");
  return DeviceFor(session).QueryEvent(request.event);
}

CudaStatus RequestHandler::HandleSynchronizeEvent(Session& session, const SynchronizeEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle("event");
  return DeviceFor(session).SynchronizeEvent(request.event);
}

CudaResult<float> RequestHandler::HandleElapsedMilliseconds(Session& session,
                                                            const ElapsedMilliseconds& request) {
  if (!ledger_.HasEvent(session.place(), request.start) || !ledger_.HasEvent(session.place(), request.stop)) {
    return InvalidHandle("event");
  }
  recorder_.NoteHostObservation(session.client, "cudaEventElapsedTime");
  return DeviceFor(session).ElapsedMilliseconds(request.start, request.stop);
}

CudaStatus RequestHandler::HandleReportRefusal(Session& session, const ReportRefusal& request) {
  DeviceFor(session).AddFinding(FindingForRefusal(request.refusal, request.call));
  return Unit{};
}

CudaStatus RequestHandler::HandleReset(Session& session, const Reset&) {
  ++session.served.resets;
  ForgetOnDevice(session.place());
  session.upload() = {};
  recorder_.Refuse(session.client, "it called cudaDeviceReset");
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

CudaResult<ClientId> RequestHandler::HandleAttachClient(Session& session, const AttachClient& request) {
  if (session.received_fds.empty()) return InvalidValue("No socket came with AttachClient.");
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
  if (!checks_) return;
  if (auto leak = FindingForLeaks(leaks)) devices_[device]->AddFinding(*std::move(leak));
}

}  // namespace warplings
