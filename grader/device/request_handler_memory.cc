// SPDX-License-Identifier: Apache-2.0
// Memory, and the work on it: copies, fills and launches.
#include <utility>

#include "grader/device/refusals.h"
#include "grader/device/request_handler.h"
#include "grader/messages/refusals.h"
#include "grader/messages/timing.h"

namespace warplings {

using namespace protocol;

CudaResult<AllocateReply> RequestHandler::HandleAllocate(Session& session, const Allocate& request) {
  const bool shared = IsShared(request.kind);
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
  if (shared) recorder_.Refuse(session.client, say::has_shared_memory_of_host());
  session.reply_fd = shared ? allocation->shared_fd : -1;
  return AllocateReply{allocation->address, allocation->bytes, allocation->mapped_bytes, shared};
}

CudaStatus RequestHandler::HandleFree(Session& session, const Free& request) {
  const auto memory = ledger_.CheckFree(session.client, request.address);
  if (!memory) return memory.error();
  if (recorder_.KeepsFreed(session.client)) {
    if (ledger_.KeepMemory(request.address)) return Unit{};
    recorder_.Refuse(session.client, say::frees_memory_too_often());
    ReleaseKept();
    if (ledger_.KeepMemory(request.address)) return Unit{};
  }
  // An error is that of work which the device waited for; the memory is free all the same.
  CudaStatus freed = devices_[memory->owner.device]->Free(request.address);
  ledger_.RemoveMemory(request.address);
  return freed;
}

CudaResult<AllocateReply> RequestHandler::HandleAllocateInStream(Session& session,
                                                                 const AllocateInStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  auto prepared = ledger_.PrepareMemory(session.place(), AllocationKind::kDevice);
  if (!prepared) return prepared.error();
  prepared->mapped().in_stream = true;
  LocalDevice& device = DeviceFor(session);
  auto allocation = AllocateDespiteRecording(session, {request.bytes, AllocationKind::kDevice});
  if (!allocation && allocation.error().code == CudaError::kMemoryAllocation) {
    // Memory whose free waits in a stream can be had, as soon as that stream's work has run.
    device.RunEarly();
    allocation = AllocateDespiteRecording(session, {request.bytes, AllocationKind::kDevice});
  }
  if (!allocation) return allocation.error();
  ledger_.AddMemory(std::move(*prepared), allocation->address, allocation->bytes);
  device.NoteAllocation(allocation->address, request.stream);
  return AllocateReply{allocation->address, allocation->bytes, 0, false};
}

CudaStatus RequestHandler::HandleFreeInStream(Session& session, const FreeInStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  const auto memory = ledger_.CheckFree(session.client, request.address);
  if (!memory) return memory.error();
  // The host has memory mapped that it shares, and stops to use it when the call returns.
  const bool in_order = memory->kind == AllocationKind::kDevice && memory->owner.device == session.device;
  if (!in_order || recorder_.KeepsFreed(session.client)) return HandleFree(session, {request.address});
  ledger_.BeginFree(request.address);
  return DeviceFor(session).FreeInStream(request.address, request.stream,
                                         [this, start = request.address] { ledger_.EndFree(start); });
}

CudaStatus RequestHandler::HandleChangeGraphMemory(Session& session, const ChangeGraphMemory& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  const auto memory = ledger_.CheckFree(session.client, request.address);
  if (!memory) return memory.error();
  if (memory->kind != AllocationKind::kGraph || memory->owner.device != session.device)
    return InvalidRequest("This memory is no graph's.");
  // A replay would find the memory as the call left it.
  recorder_.Refuse(session.client, say::has_memory_of_graphs());
  ledger_.NoteGraphMemory(request.address, request.present);
  return DeviceFor(session).ChangeGraphMemory(request.address, request.stream, request.present);
}

CudaStatus RequestHandler::HandleSetPeerAccess(Session& session, const SetPeerAccess& request) {
  if (request.device >= devices_.size() || request.device == session.device)
    return CudaFault{CudaError::kInvalidDevice, "There is no such other device."};
  return DeviceFor(session).SetPeerAccess(request.device, request.on);
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

template <class Copy>
CudaStatus RequestHandler::InPlace(const Session& session, StreamId stream,
                                   std::initializer_list<DevicePointer> addresses, const Copy& copy) {
  LocalDevice& own = DeviceFor(session);
  bool is_between_devices = false;
  for (const DevicePointer address : addresses) {
    const Ledger::Memory* memory = stream == 0 ? ledger_.FindMemory(address) : nullptr;
    if (memory == nullptr || memory->owner.device == session.device) continue;
    is_between_devices = true;
    own.BeginPeerCopy();
    devices_[memory->owner.device]->BeginPeerCopy();
  }
  CudaStatus copied = copy(own);
  if (is_between_devices) own.EndPeerCopy();
  return copied;
}

CudaStatus RequestHandler::CheckPiece(const Session& session, DevicePointer address,
                                      const Piece& piece) const {
  bool inside =
      piece.bytes <= kStagingBytes && piece.bytes <= piece.total && piece.offset <= piece.total - piece.bytes;
  if (!inside) return InvalidRequest("The piece is not part of its copy.");
  if (auto memory = ledger_.CheckCopy(session.client, address, piece.total); !memory) return memory.error();
  return Unit{};
}

void RequestHandler::NoteUse(const Session& session, Amount DeviceUse::*of, const Piece& piece) {
  if (session.trusted) return;
  Amount& amount = uses_[session.device].*of;
  if (piece.offset == 0) ++amount.count;
  amount.bytes += piece.bytes;
}

CudaStatus RequestHandler::HandleCopyIn(Session& session, const CopyIn& request) {
  const Piece& piece = request.piece;
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  if (CudaStatus valid = CheckPiece(session, request.target, piece); !valid) return valid.error();
  if (piece.bytes == 0) return Unit{};
  NoteUse(session, &DeviceUse::to_device, piece);
  DevicePointer target = request.target + piece.offset;
  if (!request.data.empty()) {
    if (request.data.size() != piece.bytes) return InvalidRequest("The piece is not as long as it says.");
    if (recorder_.Records(session.client))
      recorder_.Note(session.client, session.device, Recorder::CopyIn{target, request.data});
    return InPlace(session, request.stream, {target},
                   [&](LocalDevice& device) { return device.CopyIn(target, request.data, request.stream); });
  }
  auto shared = session.staging.bytes().first(piece.bytes);
  // Nobody changes the judge's buffer behind its back.
  if (session.trusted) return DeviceFor(session).CopyIn(target, shared, request.stream);
  session.scratch.assign(shared.begin(), shared.end());
  if (recorder_.Records(session.client))
    recorder_.Note(session.client, session.device, Recorder::CopyIn{target, session.scratch});
  return InPlace(session, request.stream, {target},
                 [&](LocalDevice& device) { return device.CopyIn(target, session.scratch, request.stream); });
}

CudaResult<std::vector<std::byte>> RequestHandler::HandleCopyOut(Session& session, const CopyOut& request) {
  const Piece& piece = request.piece;
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  if (CudaStatus valid = CheckPiece(session, request.source, piece); !valid) return valid.error();
  recorder_.NoteHostObservation(session.client, say::copy_to_host());
  std::vector<std::byte> data;
  std::span<std::byte> target = session.staging.bytes().first(piece.bytes);
  if (piece.bytes <= kInlineBytes) {
    data.resize(piece.bytes);
    target = data;
  }
  CudaStatus copied = InPlace(session, request.stream, {request.source}, [&](LocalDevice& device) {
    return device.CopyOut(target, request.source + piece.offset, request.stream);
  });
  if (!copied) return copied.error();
  if (piece.bytes != 0) NoteUse(session, &DeviceUse::to_host, piece);
  return data;
}

CudaStatus RequestHandler::HandleCopyWithin(Session& session, const CopyWithin& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  const auto target = ledger_.CheckCopy(session.client, request.target, request.bytes);
  if (!target) return target.error();
  const auto source = ledger_.CheckCopy(session.client, request.source, request.bytes);
  if (!source) return source.error();
  // Copies within host memory have no row of their own.
  const bool to_host = IsShared(target->kind), from_host = IsShared(source->kind);
  const auto direction = to_host == from_host ? &DeviceUse::within
                         : to_host            ? &DeviceUse::to_host
                                              : &DeviceUse::to_device;
  if (request.bytes != 0) NoteUse(session, direction, {request.bytes, 0, request.bytes});
  recorder_.Note(session.client, session.device,
                 Recorder::CopyWithin{request.target, request.source, request.bytes});
  return InPlace(session, request.stream, {request.target, request.source}, [&](LocalDevice& device) {
    return device.CopyWithin(request.target, request.source, request.bytes, request.stream,
                             request.host_waits);
  });
}

CudaStatus RequestHandler::HandleFill(Session& session, const Fill& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  if (auto memory = ledger_.CheckCopy(session.client, request.target, request.bytes); !memory)
    return memory.error();
  if (request.bytes != 0) NoteUse(session, &DeviceUse::fills, {request.bytes, 0, request.bytes});
  recorder_.Note(session.client, session.device,
                 Recorder::Fill{request.target, request.value, request.bytes});
  return InPlace(session, request.stream, {request.target}, [&](LocalDevice& device) {
    return device.Fill(request.target, request.value, request.bytes, request.stream);
  });
}

CudaStatus RequestHandler::HandleValidateLaunch(Session& session, const ValidateLaunch& request) {
  if (!ledger_.FindKernel(session.place(), request.request.kernel))
    return InvalidHandle(say::no_such_kernel());
  return DeviceFor(session).CheckLaunch(request.request);
}

CudaStatus RequestHandler::HandleLaunch(Session& session, const Launch& request) {
  if (!ledger_.FindKernel(session.place(), request.request.kernel))
    return InvalidHandle(say::no_such_kernel());
  if (!ledger_.MayUseStream(session.place(), request.request.stream))
    return InvalidHandle(say::no_such_stream());
  CudaStatus launched = DeviceFor(session).Launch(request.request);
  // A launch that is refused does no work, in no run.
  if (launched) recorder_.Note(session.client, session.device, request.request);
  return launched;
}

}  // namespace warplings
