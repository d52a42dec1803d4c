// SPDX-License-Identifier: Apache-2.0
#include "grader/device/request_handler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/device/refusals.h"
#include "grader/fatbin/demangle.h"

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
CudaFault TooMany(std::string_view noun, std::size_t limit) {
  return {CudaError::kMemoryAllocation, "More than " + std::to_string(limit) + " " + std::string(noun) +
                                            " at a time are not possible here."};
}

/// What all devices have, by ordinal.
template <class Take>
auto OfAll(const std::vector<Device*>& devices, Take&& take) {
  auto all = take(*devices.front());
  for (std::size_t i = 1; i < devices.size(); ++i)
    std::ranges::move(take(*devices[i]), std::back_inserter(all));
  return all;
}

/// Stream 0 is everybody's.
bool MayUse(const Session& session, StreamId stream) {
  return stream == 0 || session.own().streams.contains(stream);
}

}  // namespace

CudaResult<HelloReply> RequestHandler::Handle(Session& session, const Hello& hello) {
  if (hello.version != kVersion) {
    return CudaFault{CudaError::kNotSupported, "The program speaks version " + std::to_string(hello.version) +
                                                   " of the device protocol, this device version " +
                                                   std::to_string(kVersion) + "."};
  }
  if (!session.staging.valid()) session.staging = SharedMemory::Create(kStagingBytes);
  if (!session.staging.valid()) return CudaFault{CudaError::kMemoryAllocation, "No memory to copy through."};
  session.reply_fd = session.staging.fd();
  HelloReply reply{{}, session.client, session.deliver_printed};
  for (const Device* device : devices_) reply.profiles.push_back(device->profile());
  return reply;
}

// --- Modules ---------------------------------------------------------------------------------------

CudaStatus RequestHandler::Handle(Session& session, const UploadModule& request) {
  if (request.bytes > session.staging.bytes().size()) return InvalidValue("The piece is too long.");
  if (session.own().upload.size() + request.bytes > limits_.module_bytes) {
    session.own().upload = {};
    return InvalidValue("The program's embedded kernels are larger than this device takes.");
  }
  auto piece = session.staging.bytes().first(request.bytes);
  session.own().upload.insert(session.own().upload.end(), piece.begin(), piece.end());
  return Unit{};
}

CudaResult<ModuleId> RequestHandler::Handle(Session& session, const LoadModule&) {
  std::vector<std::byte> fatbin = std::exchange(session.own().upload, {});
  std::uint64_t all = fatbin.size();
  for (const auto& [id, bytes] : session.own().modules) all += bytes;
  if (session.own().modules.size() >= limits_.modules) return TooMany("modules", limits_.modules);
  if (all > limits_.all_module_bytes) return InvalidValue("The program's modules are too large together.");
  auto module = DeviceFor(session).LoadModule(session.client, fatbin);
  if (module) session.own().modules.emplace(*module, fatbin.size());
  return module;
}

CudaStatus RequestHandler::Handle(Session& session, const UnloadModule& request) {
  if (session.own().modules.erase(request.module) == 0) return InvalidHandle("module");
  std::erase_if(session.own().kernels,
                [&](const auto& entry) { return entry.second.module == request.module; });
  std::erase_if(session.own().variables,
                [&](const auto& entry) { return entry.second.module == request.module; });
  recorder_.Refuse(session.client, "it unloaded kernels");
  return DeviceFor(session).UnloadModule(session.client, request.module);
}

CudaResult<KernelInfo> RequestHandler::Handle(Session& session, const FindKernel& request) {
  if (!session.own().modules.contains(request.module)) return InvalidHandle("module");
  if (session.own().kernels.size() >= limits_.kernels) return TooMany("kernels", limits_.kernels);
  auto kernel = DeviceFor(session).FindKernel(request.module, request.name);
  if (kernel) {
    session.own().kernels.insert_or_assign(
        kernel->id, Possessions::Kernel{request.module, fatbin::DemangledName(request.name)});
  }
  return kernel;
}

CudaResult<VariableInfo> RequestHandler::Handle(Session& session, const FindVariable& request) {
  if (!session.own().modules.contains(request.module)) return InvalidHandle("module");
  auto variable = DeviceFor(session).FindVariable(request.module, request.name);
  if (variable) {
    if (variable->mapped_bytes != 0 && !IsSealedAgainstShrinking(variable->shared_fd)) return NotSealed();
    session.own().variables.insert_or_assign(variable->address,
                                             Possessions::Variable{request.module, variable->bytes});
    session.reply_fd = variable->mapped_bytes != 0 ? variable->shared_fd : -1;
    if (variable->mapped_bytes != 0) {
      sharing_.insert(session.client);
      recorder_.Refuse(session.client, "it has memory that host and device share");
    }
  }
  return variable;
}

CudaResult<std::vector<KernelResources>> RequestHandler::Handle(Session&,
                                                                const ListKernelResources& request) {
  // A program that loads a module on several devices has its kernels on each.
  std::vector<KernelResources> all;
  for (Device* device : devices_) {
    for (KernelResources& kernel : device->ListKernelResources(request.client)) {
      if (std::ranges::find(all, kernel.kernel, &KernelResources::kernel) == all.end())
        all.push_back(std::move(kernel));
    }
  }
  return all;
}

CudaResult<std::uint32_t> RequestHandler::Handle(Session& session,
                                                 const protocol::BlocksPerMultiprocessor& request) {
  if (!session.own().kernels.contains(request.kernel)) return InvalidHandle("kernel");
  return DeviceFor(session).BlocksPerMultiprocessor(request.kernel, request.block_threads,
                                                    request.dynamic_shared_bytes);
}

CudaStatus RequestHandler::Handle(Session& session, const SetMaxDynamicShared& request) {
  if (!session.own().kernels.contains(request.kernel)) return InvalidHandle("kernel");
  return DeviceFor(session).SetMaxDynamicShared(request.kernel, request.bytes);
}

// --- Memory ----------------------------------------------------------------------------------------

CudaResult<AllocateReply> RequestHandler::Handle(Session& session, const Allocate& request) {
  bool shared = request.kind != AllocationKind::kDevice;
  if (session.own().allocations >= limits_.allocations) return TooMany("allocations", limits_.allocations);
  if (shared && session.own().shared_allocations >= limits_.shared_allocations) {
    return TooMany("managed or pinned allocations", limits_.shared_allocations);
  }
  auto allocation = AllocateFor(session, request);
  if (!allocation) return allocation.error();
  if (shared) recorder_.Refuse(session.client, "it has memory that host and device share");
  if (shared && !IsSealedAgainstShrinking(allocation->shared_fd)) {
    (void)DeviceFor(session).Free(session.client, allocation->address);
    return NotSealed();
  }
  ++session.own().allocations;
  if (shared) ++session.own().shared_allocations;
  allocations_.insert_or_assign(allocation->address,
                                Owned{allocation->bytes, session.client, shared, session.device});
  session.reply_fd = shared ? allocation->shared_fd : -1;
  return AllocateReply{allocation->address, allocation->bytes, allocation->mapped_bytes, shared};
}

CudaStatus RequestHandler::Handle(Session& session, const Free& request) {
  auto found = allocations_.find(request.address);
  if (found == allocations_.end()) {
    const auto* holder = FindAllocation(session, request.address);
    return InvalidValue(holder != nullptr
                            ? "The address lies inside an allocation, " +
                                  std::to_string(request.address - holder->first) +
                                  " bytes after its start; only the start can be freed."
                            : "The address is not one that cudaMalloc returned, or has been freed already.");
  }
  if (found->second.owner != session.client) {
    return InvalidValue(found->second.owner == 0
                            ? "The memory belongs to the caller of this function: it may be used, not freed."
                            : "The address is not one that cudaMalloc returned.");
  }
  std::size_t device = found->second.device;
  CudaStatus freed = Unit{};
  if (recorder_.KeepsFreed(session.client)) {
    if (recorder_.KeepsTooMuch()) {
      recorder_.Refuse(session.client, "it frees memory too often");
      ReleaseKept();
    }
    recorder_.Keep({device, request.address});
  } else {
    freed = devices_[device]->Free(session.client, request.address);
  }
  if (freed) {
    --session.possessions[device].allocations;
    if (found->second.shared) --session.possessions[device].shared_allocations;
    allocations_.erase(found);
  }
  return freed;
}

CudaStatus RequestHandler::Handle(Session& session, const SetLabel& request) {
  return DeviceFor(session).SetLabel(request.address, request.label);
}

CudaStatus RequestHandler::Handle(Session& session, const MarkUninitialised& request) {
  return DeviceFor(session).MarkUninitialised(request.address, request.bytes);
}

CudaResult<Device::MemoryInfo> RequestHandler::Handle(Session& session, const GetMemoryInfo&) {
  return DeviceFor(session).GetMemoryInfo();
}

CudaResult<Device::PointerInfo> RequestHandler::Handle(Session& session, const GetPointerInfo& request) {
  const auto* allocation = FindAllocation(session, request.address);
  if (!session.trusted && !CheckRange(session, request.address, 0).ok()) {
    return InvalidValue("The address is not one of device memory.");
  }
  std::size_t device = allocation == nullptr ? session.device : allocation->second.device;
  auto info = devices_[device]->GetPointerInfo(request.address);
  if (info) info->device = static_cast<std::uint32_t>(device);
  return info;
}

auto RequestHandler::FindAllocation(const Session& session, DevicePointer address) const
    -> const std::pair<const DevicePointer, Owned>* {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& entry = *std::prev(after);
  const auto& [start, owned] = entry;
  bool inside = address - start < owned.bytes || address == start;
  bool permitted = session.trusted || owned.owner == session.client || owned.owner == 0;
  return inside && permitted ? &entry : nullptr;
}

CudaStatus RequestHandler::CheckRange(const Session& session, DevicePointer address,
                                      std::uint64_t bytes) const {
  std::uint64_t object_start = 0, object_bytes = 0;
  if (const auto* allocation = FindAllocation(session, address)) {
    object_start = allocation->first;
    object_bytes = allocation->second.bytes;
  } else {
    for (const Possessions& possessions : session.possessions) {
      auto after = possessions.variables.upper_bound(address);
      if (after == possessions.variables.begin() || std::prev(after)->first < object_start) continue;
      object_start = std::prev(after)->first;
      object_bytes = std::prev(after)->second.bytes;
    }
    if (address < object_start || address - object_start >= object_bytes) {
      return InvalidValue(
          "The device pointer is not in live device memory: was it allocated with cudaMalloc, "
          "and not freed yet?");
    }
  }
  std::uint64_t left = object_bytes - (address - object_start);
  if (bytes > left) {
    return InvalidValue(std::to_string(bytes) + " bytes were asked for where " + std::to_string(left) +
                        " are left to the end of the allocation of " + std::to_string(object_bytes) +
                        " bytes.");
  }
  return Unit{};
}

CudaStatus RequestHandler::CheckPiece(const Session& session, DevicePointer address,
                                      const Piece& piece) const {
  bool inside =
      piece.bytes <= kStagingBytes && piece.bytes <= piece.total && piece.offset <= piece.total - piece.bytes;
  if (!inside) return InvalidValue("The piece is not part of its copy.");
  return CheckRange(session, address, piece.total);
}

// --- Work ------------------------------------------------------------------------------------------

CudaStatus RequestHandler::Handle(Session& session, const CopyIn& request) {
  const Piece& piece = request.piece;
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
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

CudaResult<std::vector<std::byte>> RequestHandler::Handle(Session& session, const CopyOut& request) {
  const Piece& piece = request.piece;
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  if (CudaStatus valid = CheckPiece(session, request.source, piece); !valid) return valid.error();
  recorder_.NoteLook(session.client, "a copy to the host");
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

CudaStatus RequestHandler::Handle(Session& session, const CopyWithin& request) {
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  if (CudaStatus valid = CheckRange(session, request.target, request.bytes); !valid) return valid.error();
  if (CudaStatus valid = CheckRange(session, request.source, request.bytes); !valid) return valid.error();
  recorder_.Note(session.client, session.device,
                 Recorder::CopyWithin{request.target, request.source, request.bytes});
  return DeviceFor(session).CopyWithin(request.target, request.source, request.bytes, request.stream);
}

CudaStatus RequestHandler::Handle(Session& session, const Fill& request) {
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  if (CudaStatus valid = CheckRange(session, request.target, request.bytes); !valid) return valid.error();
  recorder_.Note(session.client, session.device,
                 Recorder::Fill{request.target, request.value, request.bytes});
  return DeviceFor(session).Fill(request.target, request.value, request.bytes, request.stream);
}

CudaStatus RequestHandler::Handle(Session& session, const Launch& request) {
  if (!session.own().kernels.contains(request.request.kernel)) return InvalidHandle("kernel");
  if (!MayUse(session, request.request.stream)) return InvalidHandle("stream");
  if (CudaStatus fits = CheckCooperative(DeviceFor(session), request.request); !fits) return fits.error();
  CudaStatus launched = DeviceFor(session).Launch(request.request);
  // A launch that is refused does no work, in no run.
  if (launched) recorder_.Note(session.client, session.device, request.request);
  return launched;
}

CudaStatus RequestHandler::CheckCooperative(Device& device, const LaunchRequest& request) {
  std::uint64_t threads = request.block.Volume();
  // A shape that no launch can have is for the device to refuse.
  if (!request.cooperative || threads == 0 || threads > 1024) return Unit{};
  auto blocks = device.BlocksPerMultiprocessor(request.kernel, static_cast<std::uint32_t>(threads),
                                               request.dynamic_shared_bytes);
  if (!blocks) return Unit{};
  std::uint64_t resident =
      std::uint64_t{*blocks} * static_cast<std::uint64_t>(device.profile().multiprocessors);
  if (request.grid.Volume() <= resident) return Unit{};
  return CudaFault{CudaError::kCooperativeLaunchTooLarge,
                   std::to_string(request.grid.Volume()) +
                       " blocks were asked for; a cooperative launch needs " +
                       "all of them on the device at a time, and " + std::to_string(resident) + " fit."};
}

// --- Streams and events ----------------------------------------------------------------------------

CudaResult<StreamId> RequestHandler::Handle(Session& session, const CreateStream& request) {
  if (session.own().streams.size() >= limits_.streams) return TooMany("streams", limits_.streams);
  auto stream = DeviceFor(session).CreateStream(session.client, request.flags);
  // Every order that a priority could give is one that CUDA allows without it, so that no device needs to
  // know.
  if (stream) {
    session.own().streams.emplace(*stream, std::clamp(request.priority, kGreatestPriority, kLeastPriority));
  }
  return stream;
}

CudaResult<std::int32_t> RequestHandler::Handle(Session& session, const GetStreamPriority& request) {
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  const auto found = session.own().streams.find(request.stream);
  return found == session.own().streams.end() ? std::int32_t{0} : found->second;
}

CudaStatus RequestHandler::Handle(Session& session, const DestroyStream& request) {
  if (session.own().streams.erase(request.stream) == 0) return InvalidHandle("stream");
  return DeviceFor(session).DestroyStream(session.client, request.stream);
}

CudaResult<bool> RequestHandler::Handle(Session& session, const QueryStream& request) {
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  recorder_.NoteLook(session.client, "cudaStreamQuery");
  return DeviceFor(session).QueryStream(request.stream);
}

CudaStatus RequestHandler::Handle(Session& session, const SynchronizeStream& request) {
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).SynchronizeStream(request.stream);
}

CudaStatus RequestHandler::Handle(Session& session, const SynchronizeAll&) {
  return DeviceFor(session).SynchronizeAll();
}

CudaResult<EventId> RequestHandler::Handle(Session& session, const CreateEvent&) {
  if (session.own().events.size() >= limits_.events) return TooMany("events", limits_.events);
  auto event = DeviceFor(session).CreateEvent(session.client);
  if (event) session.own().events.insert(*event);
  return event;
}

CudaStatus RequestHandler::Handle(Session& session, const DestroyEvent& request) {
  if (session.own().events.erase(request.event) == 0) return InvalidHandle("event");
  return DeviceFor(session).DestroyEvent(session.client, request.event);
}

CudaStatus RequestHandler::Handle(Session& session, const RecordEvent& request) {
  if (!session.own().events.contains(request.event)) return InvalidHandle("event");
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).RecordEvent(request.event, request.stream);
}

CudaStatus RequestHandler::Handle(Session& session, const WaitEvent& request) {
  if (!session.own().events.contains(request.event)) return InvalidHandle("event");
  if (!MayUse(session, request.stream)) return InvalidHandle("stream");
  return DeviceFor(session).WaitEvent(request.stream, request.event);
}

CudaResult<bool> RequestHandler::Handle(Session& session, const QueryEvent& request) {
  if (!session.own().events.contains(request.event)) return InvalidHandle("event");
  recorder_.NoteLook(session.client, "cudaEventQuery");
  return DeviceFor(session).QueryEvent(request.event);
}

CudaStatus RequestHandler::Handle(Session& session, const SynchronizeEvent& request) {
  if (!session.own().events.contains(request.event)) return InvalidHandle("event");
  return DeviceFor(session).SynchronizeEvent(request.event);
}

CudaResult<float> RequestHandler::Handle(Session& session, const ElapsedMilliseconds& request) {
  if (!session.own().events.contains(request.start) || !session.own().events.contains(request.stop)) {
    return InvalidHandle("event");
  }
  recorder_.NoteLook(session.client, "cudaEventElapsedTime");
  return DeviceFor(session).ElapsedMilliseconds(request.start, request.stop);
}

CudaStatus RequestHandler::Handle(Session& session, const ReportRefusal& request) {
  DeviceFor(session).AddFinding(FindingForRefusal(request.refusal, request.call));
  return Unit{};
}

CudaStatus RequestHandler::Handle(Session& session, const Reset&) {
  ++session.served.resets;
  ForgetOnDevice(session, session.device);
  session.own() = {};
  recorder_.Refuse(session.client, "it called cudaDeviceReset");
  return Unit{};
}

// --- Observation -----------------------------------------------------------------------------------

CudaStatus RequestHandler::Handle(Session&, const SetObservation& request) {
  for (Device* device : devices_) device->SetObservation(request.options);
  return Unit{};
}

CudaResult<std::vector<PendingWork>> RequestHandler::Handle(Session&, const ListPendingWork&) {
  return OfAll(devices_, [](Device& device) { return device.ListPendingWork(); });
}

CudaResult<std::vector<Finding>> RequestHandler::Handle(Session&, const TakeFindings&) {
  return OfAll(devices_, [](Device& device) { return device.TakeFindings(); });
}

CudaResult<std::vector<LaunchRecord>> RequestHandler::Handle(Session&, const TakeLaunches&) {
  return OfAll(devices_, [](Device& device) { return device.TakeLaunches(); });
}

CudaResult<std::vector<ArrayWriters>> RequestHandler::Handle(Session&, const ListArrayWriters&) {
  return OfAll(devices_, [](Device& device) { return device.ListArrayWriters(); });
}

CudaResult<std::vector<KernelProfile>> RequestHandler::Handle(Session&, const TakeProfile&) {
  std::vector<KernelProfile> all;
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    for (KernelProfile& profile : devices_[device]->TakeProfile()) {
      profile.device = static_cast<std::uint32_t>(device);
      all.push_back(std::move(profile));
    }
  }
  return all;
}

CudaResult<std::string> RequestHandler::Handle(Session& session, const TakePrinted&) {
  for (Device* device : devices_) session.printed += device->TakePrinted();
  // An untrusted connection gets it in pieces that surely fit its socket, and asks until there is none.
  std::size_t size = session.trusted ? session.printed.size() : kInlineBytes;
  std::string piece = session.printed.substr(0, size);
  session.printed.erase(0, piece.size());
  return piece;
}

CudaStatus RequestHandler::Handle(Session& session, const AddFinding& request) {
  DeviceFor(session).AddFinding(request.finding);
  return Unit{};
}

CudaResult<ClientId> RequestHandler::Handle(Session& session, const AttachClient& request) {
  if (session.received_fds.empty()) return InvalidValue("No socket came with AttachClient.");
  UniqueFd socket = std::move(session.received_fds.front());
  session.received_fds.erase(session.received_fds.begin());
  return hooks_.attach(std::move(socket), request.deliver_printed);
}

CudaResult<Served> RequestHandler::Handle(Session&, const protocol::HoldClient& request) {
  return hooks_.hold(request.client, request.hold);
}

CudaStatus RequestHandler::Handle(Session&, const protocol::DropClient& request) {
  hooks_.drop(request.client);
  return Unit{};
}

CudaResult<std::vector<Violation>> RequestHandler::Handle(Session&, const TakeProtocolViolations&) {
  return hooks_.take_violations();
}

void RequestHandler::Forget(const Session& session) {
  for (std::size_t device = 0; device < devices_.size(); ++device) ForgetOnDevice(session, device);
  sharing_.erase(session.client);
  if (!recorder_.idle() && recorder_.client() == session.client) recorder_.Drop();
}

void RequestHandler::ForgetOnDevice(const Session& session, std::size_t device) {
  std::erase_if(allocations_, [&](const auto& entry) {
    return entry.second.owner == session.client && entry.second.device == device;
  });
  // The device frees all that the client had, what a recording kept included.
  std::vector<Recorder::Kept> kept = recorder_.TakeKept();
  for (const Recorder::Kept& each : kept) {
    if (each.device != device || recorder_.client() != session.client) recorder_.Keep(each);
  }
  devices_[device]->DropClient(session.client);
}

}  // namespace warplings
