// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "grader/runtime/arrays.h"
#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/heap/heap_blocks.h"
#include "grader/runtime/host_functions.h"
#include "grader/runtime/registered_memory.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

/// Where the bytes really go.
CopyKind DirectionOf(Runtime& runtime, const Rectangle& shape) {
  const bool to_device = ReachesTarget(runtime, shape);
  if (ReachesSource(runtime, shape)) return to_device ? kDeviceToDevice : kDeviceToHost;
  return to_device ? kHostToDevice : kHostToHost;
}

/// Where the device has memory that it reaches, and up to `bytes` bytes that lie there in one piece.
RegisteredPlace PlaceOnDevice(const void* pointer, std::size_t bytes) {
  if (IsDeviceAddress(pointer)) return {ToDevice(pointer), bytes};
  RegisteredPlace place = FindRegistered(pointer);
  place.bytes = std::min(place.bytes, bytes);
  return place;
}

/// Bytes that lie in one piece.
CudaStatus CopyPiece(Runtime& runtime, void* target, const void* source, std::size_t bytes, CopyKind kind,
                     StreamId stream, bool host_waits) {
  DeviceClient& device = runtime.device();
  switch (kind) {
    case kHostToDevice:
      return device.CopyIn(ToDevice(target), {static_cast<const std::byte*>(source), bytes}, stream);
    case kDeviceToHost:
      return device.CopyOut({static_cast<std::byte*>(target), bytes}, ToDevice(source), stream);
    case kDeviceToDevice:
      return device.CopyWithin(ToDevice(target), ToDevice(source), bytes, stream, host_waits);
    default: std::memmove(target, source, bytes); return Unit{};
  }
}

/// One row, or a whole copy that is contiguous.
CudaStatus CopyRow(Runtime& runtime, std::byte* target, const std::byte* source, std::size_t bytes,
                   CopyKind kind, StreamId stream, bool host_waits) {
  const bool to_device = kind == kHostToDevice || kind == kDeviceToDevice;
  const bool from_device = kind == kDeviceToHost || kind == kDeviceToDevice;
  while (bytes != 0) {
    const void *to = target, *from = source;
    std::size_t piece = bytes;
    if (to_device) {
      const RegisteredPlace place = PlaceOnDevice(target, piece);
      to = reinterpret_cast<void*>(place.address);
      piece = place.bytes;
    }
    if (from_device) {
      const RegisteredPlace place = PlaceOnDevice(source, piece);
      from = reinterpret_cast<void*>(place.address);
      piece = place.bytes;
    }
    CudaStatus copied = CopyPiece(runtime, const_cast<void*>(to), from, piece, kind, stream, host_waits);
    if (!copied) return copied;
    target += piece, source += piece, bytes -= piece;
  }
  return Unit{};
}

/// Whether the addresses allow what the program calls the direction. The real runtime goes by the
/// addresses as well, and only refuses a device side that is none: "host to device" copies between two
/// device arrays, "host to host" copies anything (seen on an H200; testdata/errors.expected).
bool IsPossible(Runtime& runtime, CopyKind kind, const Rectangle& shape) {
  bool needs_device_source = kind == kDeviceToHost || kind == kDeviceToDevice;
  bool needs_device_target = kind == kHostToDevice || kind == kDeviceToDevice;
  return (!needs_device_source || ReachesSource(runtime, shape)) &&
         (!needs_device_target || ReachesTarget(runtime, shape));
}

/// Why a copy is not possible: `F` of `__constant__ float F[9]` is in host code no address of the device.
Refused RefusedDirection(Runtime& runtime, CopyKind kind, const Rectangle& shape) {
  Refused refused{CudaError::kInvalidValue, protocol::Refusal::kWrongDirection};
  const bool to_device = kind == kHostToDevice || kind == kDeviceToDevice;
  const bool from_device = kind == kDeviceToHost || kind == kDeviceToDevice;
  if (const auto target = runtime.VariableNamed(shape.target); to_device && target) {
    refused.report = protocol::Refusal::kTargetIsVariable;
    refused.variable = *target;
  } else if (const auto source = runtime.VariableNamed(shape.source); from_device && source) {
    refused.report = protocol::Refusal::kSourceIsVariable;
    refused.variable = *source;
  }
  return refused;
}

CudaStatus CopySlice(Runtime& runtime, Rectangle shape, CopyKind kind, StreamId stream, bool host_waits) {
  bool contiguous = shape.target_pitch == shape.width_bytes && shape.source_pitch == shape.width_bytes;
  if (contiguous) {
    shape.width_bytes *= shape.height;
    shape.height = 1;
  }
  for (std::size_t row = 0; row < shape.height; ++row) {
    auto* target = static_cast<std::byte*>(shape.target) + row * shape.target_pitch;
    const auto* source = static_cast<const std::byte*>(shape.source) + row * shape.source_pitch;
    CudaStatus copied = CopyRow(runtime, target, source, shape.width_bytes, kind, stream, host_waits);
    if (!copied) return copied;
  }
  return Unit{};
}

bool IsEmpty(const Rectangle& shape) {
  return shape.width_bytes == 0 || shape.height == 0 || shape.depth == 0;
}

/// A direction that is not the copy's own. Memory that host and device share may be called either's.
std::optional<Remark> RemarkOnDirection(Runtime& runtime, const Rectangle& shape, int kind) {
  const auto is_shared = [&](const void* side) {
    return IsMapped(runtime, side) || IsRegistered(runtime, side, 1);
  };
  if (kind == kDefaultKind || is_shared(shape.target) || is_shared(shape.source)) return std::nullopt;
  const CopyKind own = DirectionOf(runtime, shape);
  if (kind == own) return std::nullopt;
  switch (own) {
    case kDeviceToDevice: return Remark{protocol::Refusal::kIsDeviceToDevice};
    case kDeviceToHost: return Remark{protocol::Refusal::kIsDeviceToHost};
    case kHostToDevice: return Remark{protocol::Refusal::kIsHostToDevice};
    default: return std::nullopt;
  }
}

/// Whether the host has stored nothing there: its memory for a variable's name begins as zeros.
bool IsAllZero(const Rectangle& shape) {
  if (shape.height != 1 || shape.depth > 1) return false;
  const std::span bytes(static_cast<const std::byte*>(shape.source), shape.width_bytes);
  return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{}; });
}

/// A copy that the variable's name makes one of other memory.
std::optional<Remark> RemarkOnVariable(Runtime& runtime, const Rectangle& shape) {
  if (!ReachesTarget(runtime, shape)) {
    if (const auto target = runtime.VariableNamed(shape.target))
      return Remark{protocol::Refusal::kWroteVariablesName, *target};
  }
  if (!ReachesSource(runtime, shape)) {
    if (const auto source = runtime.VariableNamed(shape.source); source && IsAllZero(shape))
      return Remark{protocol::Refusal::kReadVariablesName, *source};
  }
  return std::nullopt;
}

/// From the first byte to behind the last one of a side whose rows are `pitch` bytes apart.
std::size_t LengthOf(const Rectangle& shape, std::size_t pitch, std::size_t slice) {
  return (shape.depth - 1) * slice + (shape.height - 1) * pitch + shape.width_bytes;
}

/// What there is to say of a side that only the host has, where the copy passes the end of its block.
std::optional<Remark> RemarkOnBlock(const void* side, std::size_t bytes, protocol::Refusal remark,
                                    WarplingsHeapBlock& block) {
  if (WarplingsFindHeapBlock == nullptr || !WarplingsFindHeapBlock(side, &block)) return std::nullopt;
  if (bytes <= block.left) return std::nullopt;
  return Remark{.report = remark,
                .sizes = {.bytes = bytes, .offset = block.bytes - block.left, .variable_bytes = block.bytes}};
}

/// Shortens a copy that passes the end of a block of the host's heap, so that it damages nothing and what the
/// program does after it is told as it is: to what the target has room for, and to what can be read.
std::optional<Remark> KeepInBlocks(Runtime& runtime, Rectangle& shape) {
  constexpr std::uintptr_t kPage = 4096;
  WarplingsHeapBlock block;
  std::optional<Remark> remark;
  std::size_t most = SIZE_MAX;  // Of a copy of one row.
  if (!ReachesSource(runtime, shape)) {
    const std::size_t bytes = LengthOf(shape, shape.source_pitch, shape.source_slice);
    remark = RemarkOnBlock(shape.source, bytes, protocol::Refusal::kPastSourceBlock, block);
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(shape.source) + block.left;
    if (remark) most = block.left + (kPage - end % kPage) % kPage;
  }
  if (!ReachesTarget(runtime, shape)) {
    const std::size_t bytes = LengthOf(shape, shape.target_pitch, shape.target_slice);
    if (const auto past = RemarkOnBlock(shape.target, bytes, protocol::Refusal::kPastTargetBlock, block)) {
      remark = past;
      most = std::min(most, block.left);
      if (shape.depth == 1 && shape.height > 1) shape.height = block.left / shape.target_pitch;
    }
  }
  if (remark && shape.depth == 1 && shape.height == 1) shape.width_bytes = std::min(shape.width_bytes, most);
  return remark;
}

/// Whether that many bytes are there, if it is memory of the device. A copy past its end is refused, host's
/// block or not.
bool HasOnDevice(Runtime& runtime, const void* side, std::size_t bytes) {
  if (!IsDeviceAddress(side)) return true;
  const auto memory = runtime.device().GetPointerInfo(ToDevice(side));
  return memory && bytes <= memory->start + memory->bytes - ToDevice(side);
}

/// Does a copy in its stream, or has it captured there.
Outcome Copy(Runtime& runtime, const CopyWork& work, void* handle) {
  const Rectangle& shape = work.shape;
  if (Outcome checked = CheckCopy(runtime, work); !checked.ok() || IsEmpty(shape)) return checked;
  std::optional<Remark> remark;
  const Outcome done = GiveToStream(runtime, handle, work, [&] {
    CopyWork within = work;
    remark = KeepInBlocks(runtime, within.shape);
    if (remark &&
        !(HasOnDevice(runtime, shape.target, LengthOf(shape, shape.target_pitch, shape.target_slice)) &&
          HasOnDevice(runtime, shape.source, LengthOf(shape, shape.source_pitch, shape.source_slice)))) {
      remark.reset();
      within = work;
    }
    return RunCopy(runtime, within, handle);
  });
  if (!done.ok()) return done;
  if (!remark) remark = RemarkOnVariable(runtime, shape);
  if (!remark) remark = RemarkOnDirection(runtime, shape, work.kind);
  return remark ? Outcome(*remark) : done;
}

/// A copy to memory that only the host has waits for its stream.
std::optional<Waits> WaitsOfCopy(const Rectangle& shape, void* stream) {
  if (IsDeviceAddress(shape.target)) return std::nullopt;
  Runtime& runtime = Runtime::Get();
  const std::scoped_lock lock(runtime.mutex());
  if (ReachesTarget(runtime, shape)) return std::nullopt;
  return Waits{protocol::Awaited::kStream, stream};
}

int CopyRectangle(const char* call, const Rectangle& shape, int kind, void* stream, bool waits) {
  NoteWork(shape.width_bytes * shape.height);
  return Forward(
      call,
      [&](Runtime& runtime) -> Outcome {
        bool overflows = shape.height != 0 && shape.width_bytes > SIZE_MAX / shape.height;
        if (shape.width_bytes > shape.target_pitch || shape.width_bytes > shape.source_pitch || overflows) {
          return Refused{kInvalidPitchValue, protocol::Refusal::kRange};
        }
        Outcome outcome = Copy(runtime, {shape, kind, waits}, stream);
        if (waits) runtime.DeliverPrinted();
        return outcome;
      },
      WaitsOfCopy(shape, stream));
}

int CopyBytes(const char* call, void* target, const void* source, std::size_t bytes, int kind, void* stream,
              bool waits) {
  return CopyRectangle(call, {target, bytes, source, bytes, bytes, 1}, kind, stream, waits);
}

/// The addresses say whose memory they are; the ordinals have to exist.
int CopyPeer(const char* call, const Rectangle& shape, int target_device, int source_device, void* stream,
             bool waits) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (!runtime.HasDevice(target_device) || !runtime.HasDevice(source_device)) {
      return CudaError::kInvalidDevice;
    }
    Outcome outcome = Copy(runtime, {shape, kDeviceToDevice, waits}, stream);
    if (waits) runtime.DeliverPrinted();
    return outcome;
  });
}

/// The address of `bytes` bytes at `offset` in a __device__ or __constant__ variable.
struct SymbolRange {
  void* address = nullptr;
  Outcome outcome;
};
SymbolRange FindRange(Runtime& runtime, const void* symbol, std::size_t bytes, std::size_t offset) {
  auto variable = runtime.ResolveVariable(symbol);
  if (!variable) return {nullptr, Refused{CudaError::kInvalidSymbol, protocol::Refusal::kUnknownSymbol}};
  if (!*variable) return {nullptr, variable->error()};
  const VariableInfo& info = **variable;
  if (offset > info.bytes || bytes > info.bytes - offset) {
    return {nullptr, Refused{CudaError::kInvalidValue,
                             protocol::Refusal::kSymbolSize,
                             {.bytes = bytes, .offset = offset, .variable_bytes = info.bytes}}};
  }
  return {reinterpret_cast<void*>(info.address + offset), {}};
}

int CopyToSymbol(const char* call, const void* symbol, const void* source, std::size_t bytes,
                 std::size_t offset, int kind, void* stream, bool waits) {
  NoteWork(bytes);
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (kind == kHostToHost || kind == kDeviceToHost) return CudaError::kInvalidMemcpyDirection;
    SymbolRange range = FindRange(runtime, symbol, bytes, offset);
    if (!range.outcome.ok()) return range.outcome;
    Outcome outcome = Copy(runtime, {{range.address, bytes, source, bytes, bytes, 1}, kind, waits}, stream);
    if (waits) runtime.DeliverPrinted();
    return outcome;
  });
}

int CopyFromSymbol(const char* call, void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                   int kind, void* stream, bool waits) {
  return Forward(
      call,
      [&](Runtime& runtime) -> Outcome {
        if (kind == kHostToHost || kind == kHostToDevice) return CudaError::kInvalidMemcpyDirection;
        SymbolRange range = FindRange(runtime, symbol, bytes, offset);
        if (!range.outcome.ok()) return range.outcome;
        Outcome outcome =
            Copy(runtime, {{target, bytes, range.address, bytes, bytes, 1}, kind, waits}, stream);
        if (waits) runtime.DeliverPrinted();
        return outcome;
      },
      WaitsOfCopy({target, bytes, symbol, bytes, bytes, 1}, stream));
}

FillWork Rows(void* target, std::size_t pitch, int value, std::size_t width_bytes, std::size_t height) {
  return {.target = target,
          .pitch = pitch,
          .value = static_cast<unsigned>(value) & 0xff,
          .width_bytes = width_bytes,
          .height = height};
}

int Copy3DIn(const char* call, const Copy3D* parameters, void* stream, bool waits) {
  CopyWork work;
  const Outcome read = ToCopyWork(parameters, work);
  return CopyPlaced(call, read, work, stream, waits);
}

int Fill3D(const char* call, const PitchedPointer& target, int value, const Extent& extent, void* stream) {
  return FillPlaced(call,
                    {.target = target.pointer,
                     .pitch = target.pitch,
                     .value = static_cast<unsigned>(value) & 0xff,
                     .width_bytes = extent.width_bytes,
                     .height = extent.height,
                     .depth = extent.depth,
                     .slice = target.pitch * target.y_rows},
                    stream);
}

/// An element of several bytes whose bytes differ: no fill of bytes, but a copy of what the row is to hold.
CudaStatus FillRow(Runtime& runtime, DevicePointer target, const FillWork& work, StreamId stream) {
  std::byte bytes[sizeof work.value];
  std::memcpy(bytes, &work.value, sizeof bytes);
  const std::span element(bytes, work.element_bytes);
  if (std::ranges::all_of(element, [&](std::byte each) { return each == element[0]; }))
    return runtime.device().Fill(target, static_cast<std::uint8_t>(element[0]), work.width_bytes, stream);
  // The device refuses a range that does not fit; a row of that size may not fit this process either.
  const auto memory = runtime.device().GetPointerInfo(target);
  if (!memory || work.width_bytes > memory->start + memory->bytes - target)
    return runtime.device().Fill(target, 0, work.width_bytes, stream);
  std::vector<std::byte> row(work.width_bytes);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = element[i % element.size()];
  return runtime.device().CopyIn(target, row, stream);
}

}  // namespace

Outcome CheckCopy(Runtime& runtime, const CopyWork& work) {
  const Rectangle& shape = work.shape;
  const bool overflows = shape.height != 0 && shape.width_bytes > SIZE_MAX / shape.height;
  if (shape.width_bytes > shape.target_pitch || shape.width_bytes > shape.source_pitch || overflows)
    return Refused{kInvalidPitchValue, protocol::Refusal::kRange};
  if (work.kind < kHostToHost || work.kind > kDefaultKind) return CudaError::kInvalidMemcpyDirection;
  if (IsEmpty(shape)) return {};
  if (shape.target == nullptr || shape.source == nullptr)
    return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
  if (LeavesRegistered(runtime, shape)) return Refused{CudaError::kInvalidValue, protocol::Refusal::kRange};
  if (!IsPossible(runtime, static_cast<CopyKind>(work.kind), shape))
    return RefusedDirection(runtime, static_cast<CopyKind>(work.kind), shape);
  return {};
}

Outcome RunCopy(Runtime& runtime, const CopyWork& work, void* handle) {
  const CopyKind kind = DirectionOf(runtime, work.shape);
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  Rectangle slice = work.shape;
  for (std::size_t z = 0; z < work.shape.depth; ++z) {
    if (CudaStatus copied = CopySlice(runtime, slice, kind, *stream, work.host_waits); !copied) return copied;
    slice.target = static_cast<std::byte*>(slice.target) + slice.target_slice;
    slice.source = static_cast<const std::byte*>(slice.source) + slice.source_slice;
  }
  return {};
}

Outcome CheckFill(Runtime& runtime, const FillWork& work) {
  if (work.width_bytes == 0 || work.height == 0 || work.depth == 0) return {};
  if (work.width_bytes > work.pitch) return Refused{CudaError::kInvalidValue, protocol::Refusal::kRange};
  if (work.target == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
  if (const auto variable = runtime.VariableNamed(work.target))
    return Refused{CudaError::kInvalidValue, protocol::Refusal::kTargetIsVariable, {}, *variable};
  return {};
}

Outcome RunFill(Runtime& runtime, const FillWork& work, void* handle) {
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  FillWork slice = work;
  if (slice.width_bytes == slice.pitch && slice.height <= SIZE_MAX / slice.pitch) {
    slice.width_bytes *= slice.height;
    slice.height = 1;
  }
  const bool is_registered = ReachesTarget(runtime, {.target = work.target,
                                                     .target_pitch = work.pitch,
                                                     .width_bytes = work.width_bytes,
                                                     .height = work.height,
                                                     .depth = work.depth,
                                                     .target_slice = work.slice}) &&
                             !IsDeviceAddress(work.target);
  const std::size_t width = slice.width_bytes;
  for (std::size_t z = 0; z < work.depth; ++z) {
    for (std::size_t row = 0; row < slice.height; ++row) {
      const auto* start = static_cast<const std::byte*>(work.target) + z * work.slice + row * work.pitch;
      for (std::size_t done = 0; done < width; done += slice.width_bytes) {
        RegisteredPlace place{ToDevice(start), width};
        if (is_registered) place = PlaceOnDevice(start + done, width - done);
        slice.width_bytes = place.bytes;
        if (CudaStatus filled = FillRow(runtime, place.address, slice, *stream); !filled) return filled;
      }
    }
  }
  return {};
}

int FillPlaced(const char* call, const FillWork& work, void* handle) {
  NoteWork(0);
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const Outcome checked = CheckFill(runtime, work);
    if (!checked.ok() || work.width_bytes == 0 || work.height == 0 || work.depth == 0) return checked;
    return GiveToStream(runtime, handle, work, [&] { return RunFill(runtime, work, handle); });
  });
}

int CopyPlaced(const char* call, const Outcome& placed, const CopyWork& work, void* stream, bool waits) {
  NoteWork(work.shape.width_bytes * work.shape.height * work.shape.depth);
  return Forward(
      call,
      [&](Runtime& runtime) -> Outcome {
        if (!placed.ok()) return placed;
        Outcome outcome = Copy(runtime, {work.shape, work.kind, waits}, stream);
        if (waits) runtime.DeliverPrinted();
        return outcome;
      },
      WaitsOfCopy(work.shape, stream));
}

namespace {

/// One side of cudaMemcpy3D, as memory; `position` and `extent` in bytes.
Outcome PlaceSide3D(const void* array, const Extent& position, const PitchedPointer& memory,
                    const Extent& extent, PitchedPointer& place) {
  if (array != nullptr) {
    if (memory.pointer != nullptr) return kWrongArgument;
    const std::optional<Array> found = FindArray(array);
    return found ? PlaceInArray(*found, position, extent, place) : Outcome(kNoArray);
  }
  const bool is_empty = extent.width_bytes == 0 || extent.height == 0 || extent.depth == 0;
  const bool in_row =
      position.width_bytes <= memory.pitch && extent.width_bytes <= memory.pitch - position.width_bytes;
  const bool in_slice = extent.depth <= 1 || (position.height <= memory.y_rows &&
                                              extent.height <= memory.y_rows - position.height);
  if (!is_empty && (!in_row || !in_slice)) return kDoesNotFit;
  place = memory;
  place.pointer = static_cast<std::byte*>(memory.pointer) +
                  (position.depth * memory.y_rows + position.height) * memory.pitch + position.width_bytes;
  return {};
}

/// Bytes of what the copy counts in: an array's elements, where one takes part. 0: two arrays that differ.
std::size_t UnitOf(const Copy3D& copy) {
  std::size_t unit = 1;
  for (const void* handle : {copy.source_array, copy.target_array}) {
    const std::optional<Array> array = FindArray(handle);
    if (!array) continue;
    if (unit != 1 && unit != array->element_bytes) return 0;
    unit = array->element_bytes;
  }
  return unit;
}

}  // namespace

Outcome ToCopyWork(const Copy3D* parameters, CopyWork& work) {
  if (parameters == nullptr) return kNoPointer;
  const Copy3D& copy = *parameters;
  const std::size_t unit = UnitOf(copy);
  if (unit == 0 || copy.extent.width_bytes > SIZE_MAX / unit) return kWrongArgument;
  Extent extent = copy.extent, source_at = copy.source_position, target_at = copy.target_position;
  extent.width_bytes *= unit;
  if (copy.source_array != nullptr) source_at.width_bytes *= unit;
  if (copy.target_array != nullptr) target_at.width_bytes *= unit;
  PitchedPointer source{}, target{};
  Outcome placed = PlaceSide3D(copy.source_array, source_at, copy.source, extent, source);
  if (placed.ok()) placed = PlaceSide3D(copy.target_array, target_at, copy.target, extent, target);
  if (!placed.ok()) return placed;
  work.kind = copy.kind;
  work.shape = {.target = target.pointer,
                .target_pitch = std::max(target.pitch, extent.width_bytes),
                .source = source.pointer,
                .source_pitch = std::max(source.pitch, extent.width_bytes),
                .width_bytes = extent.width_bytes,
                .height = extent.height,
                .depth = extent.depth,
                .target_slice = target.pitch * target.y_rows,
                .source_slice = source.pitch * source.y_rows};
  return {};
}

namespace {

int Copy3DPeerIn(const char* call, const Copy3DPeer* parameters, void* stream, bool waits) {
  if (parameters == nullptr) return CopyPlaced(call, kNoPointer, {}, stream, waits);
  const Copy3DPeer& copy = *parameters;
  const Copy3D as_one{.source_array = copy.source_array,
                      .source_position = copy.source_position,
                      .source = copy.source,
                      .target_array = copy.target_array,
                      .target_position = copy.target_position,
                      .target = copy.target,
                      .extent = copy.extent,
                      .kind = kDeviceToDevice};
  CopyWork work;
  const Outcome read = ToCopyWork(&as_one, work);
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (!runtime.HasDevice(copy.target_device) || !runtime.HasDevice(copy.source_device))
      return CudaError::kInvalidDevice;
    if (!read.ok()) return read;
    Outcome outcome = Copy(runtime, {work.shape, work.kind, waits}, stream);
    if (waits) runtime.DeliverPrinted();
    return outcome;
  });
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Bytes and rectangles --------------------------------------------------------------------------

WARPLINGS_API int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind) {
  return CopyBytes("cudaMemcpy", target, source, bytes, kind, nullptr, true);
}

WARPLINGS_API int cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, int kind,
                                  void* stream) {
  return CopyBytes("cudaMemcpyAsync", target, source, bytes, kind, stream, false);
}

WARPLINGS_API int cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                                 std::size_t bytes) {
  return CopyPeer("cudaMemcpyPeer", {target, bytes, source, bytes, bytes, 1}, target_device, source_device,
                  nullptr, true);
}

WARPLINGS_API int cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                      std::size_t bytes, void* stream) {
  return CopyPeer("cudaMemcpyPeerAsync", {target, bytes, source, bytes, bytes, 1}, target_device,
                  source_device, stream, false);
}

WARPLINGS_API int cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                               std::size_t source_pitch, std::size_t width_bytes, std::size_t height,
                               int kind) {
  return CopyRectangle("cudaMemcpy2D", {target, target_pitch, source, source_pitch, width_bytes, height},
                       kind, nullptr, true);
}

WARPLINGS_API int cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width_bytes, std::size_t height,
                                    int kind, void* stream) {
  return CopyRectangle("cudaMemcpy2DAsync", {target, target_pitch, source, source_pitch, width_bytes, height},
                       kind, stream, false);
}

WARPLINGS_API int cudaMemset(void* target, int value, std::size_t bytes) {
  return FillPlaced("cudaMemset", Rows(target, bytes, value, bytes, 1), nullptr);
}

WARPLINGS_API int cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
  return FillPlaced("cudaMemsetAsync", Rows(target, bytes, value, bytes, 1), stream);
}

WARPLINGS_API int cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                               std::size_t height) {
  return FillPlaced("cudaMemset2D", Rows(target, pitch, value, width_bytes, height), nullptr);
}

WARPLINGS_API int cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                                    std::size_t height, void* stream) {
  return FillPlaced("cudaMemset2DAsync", Rows(target, pitch, value, width_bytes, height), stream);
}

WARPLINGS_API int cudaMemcpy3D(const Copy3D* parameters) {
  return Copy3DIn("cudaMemcpy3D", parameters, nullptr, true);
}

WARPLINGS_API int cudaMemcpy3DAsync(const Copy3D* parameters, void* stream) {
  return Copy3DIn("cudaMemcpy3DAsync", parameters, stream, false);
}

WARPLINGS_API int cudaMemcpy3DPeer(const Copy3DPeer* parameters) {
  return Copy3DPeerIn("cudaMemcpy3DPeer", parameters, nullptr, true);
}

WARPLINGS_API int cudaMemcpy3DPeerAsync(const Copy3DPeer* parameters, void* stream) {
  return Copy3DPeerIn("cudaMemcpy3DPeerAsync", parameters, stream, false);
}

WARPLINGS_API int cudaMemset3D(PitchedPointer target, int value, Extent extent) {
  return Fill3D("cudaMemset3D", target, value, extent, nullptr);
}

WARPLINGS_API int cudaMemset3DAsync(PitchedPointer target, int value, Extent extent, void* stream) {
  return Fill3D("cudaMemset3DAsync", target, value, extent, stream);
}

// --- __device__ and __constant__ variables ---------------------------------------------------------

WARPLINGS_API int cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                                     std::size_t offset, int kind) {
  return CopyToSymbol("cudaMemcpyToSymbol", symbol, source, bytes, offset, kind, nullptr, true);
}

WARPLINGS_API int cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                          std::size_t offset, int kind, void* stream) {
  return CopyToSymbol("cudaMemcpyToSymbolAsync", symbol, source, bytes, offset, kind, stream, false);
}

WARPLINGS_API int cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes,
                                       std::size_t offset, int kind) {
  return CopyFromSymbol("cudaMemcpyFromSymbol", target, symbol, bytes, offset, kind, nullptr, true);
}

WARPLINGS_API int cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                            std::size_t offset, int kind, void* stream) {
  return CopyFromSymbol("cudaMemcpyFromSymbolAsync", target, symbol, bytes, offset, kind, stream, false);
}

WARPLINGS_API int cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return Forward("cudaGetSymbolAddress", [&](Runtime& runtime) -> Outcome {
    if (pointer == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    SymbolRange range = FindRange(runtime, symbol, 0, 0);
    *pointer = range.address;
    return range.outcome;
  });
}

WARPLINGS_API int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return Forward("cudaGetSymbolSize", [&](Runtime& runtime) -> Outcome {
    auto variable = runtime.ResolveVariable(symbol);
    if (bytes == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    if (!variable) return Refused{CudaError::kInvalidSymbol, protocol::Refusal::kUnknownSymbol};
    if (!*variable) return variable->error();
    *bytes = (*variable)->bytes;
    return {};
  });
}
