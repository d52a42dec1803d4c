// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/host_functions.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

/// A copy or fill of `height` rows; rows are contiguous if the pitch equals the width.
struct Rectangle {
  void* target = nullptr;
  std::size_t target_pitch = 0;
  const void* source = nullptr;
  std::size_t source_pitch = 0;
  std::size_t width_bytes = 0, height = 1;
};

/// Where the bytes really go.
CopyKind DirectionOf(const void* target, const void* source) {
  if (IsDeviceAddress(source)) return IsDeviceAddress(target) ? kDeviceToDevice : kDeviceToHost;
  return IsDeviceAddress(target) ? kHostToDevice : kHostToHost;
}

/// One row, or a whole copy that is contiguous.
CudaStatus CopyRow(Runtime& runtime, void* target, const void* source, std::size_t bytes, CopyKind kind,
                   StreamId stream) {
  DeviceClient& device = runtime.device();
  switch (kind) {
    case kHostToDevice:
      return device.CopyIn(ToDevice(target), {static_cast<const std::byte*>(source), bytes}, stream);
    case kDeviceToHost:
      return device.CopyOut({static_cast<std::byte*>(target), bytes}, ToDevice(source), stream);
    case kDeviceToDevice: return device.CopyWithin(ToDevice(target), ToDevice(source), bytes, stream);
    default: std::memmove(target, source, bytes); return Unit{};
  }
}

/// Whether the addresses allow what the program calls the direction. The real runtime goes by the
/// addresses as well, and only refuses a device side that is none: "host to device" copies between two
/// device arrays, "host to host" copies anything (seen on an H200; testdata/errors.expected).
bool IsPossible(CopyKind kind, const Rectangle& shape) {
  bool needs_device_source = kind == kDeviceToHost || kind == kDeviceToDevice;
  bool needs_device_target = kind == kHostToDevice || kind == kDeviceToDevice;
  return (!needs_device_source || IsDeviceAddress(shape.source)) &&
         (!needs_device_target || IsDeviceAddress(shape.target));
}

Outcome Copy(Runtime& runtime, Rectangle shape, int kind_number, void* handle) {
  if (kind_number < kHostToHost || kind_number > kDefaultKind) return CudaError::kInvalidMemcpyDirection;
  if (shape.width_bytes == 0 || shape.height == 0) return {};
  if (shape.target == nullptr || shape.source == nullptr) {
    return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
  }
  if (!IsPossible(static_cast<CopyKind>(kind_number), shape)) {
    return Refused{CudaError::kInvalidValue, protocol::Refusal::kWrongDirection};
  }
  CopyKind kind = DirectionOf(shape.target, shape.source);
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  bool contiguous = shape.target_pitch == shape.width_bytes && shape.source_pitch == shape.width_bytes;
  if (contiguous) {
    shape.width_bytes *= shape.height;
    shape.height = 1;
  }
  for (std::size_t row = 0; row < shape.height; ++row) {
    auto* target = static_cast<std::byte*>(shape.target) + row * shape.target_pitch;
    const auto* source = static_cast<const std::byte*>(shape.source) + row * shape.source_pitch;
    CudaStatus copied = CopyRow(runtime, target, source, shape.width_bytes, kind, *stream);
    if (!copied) return copied;
  }
  return {};
}

/// A copy to memory that only the host has waits for its stream.
std::optional<Waits> WaitsOfCopy(const void* target, void* stream) {
  if (IsDeviceAddress(target)) return std::nullopt;
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
        Outcome outcome = Copy(runtime, shape, kind, stream);
        if (waits) runtime.DeliverPrinted();
        return outcome;
      },
      WaitsOfCopy(shape.target, stream));
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
    Outcome outcome = Copy(runtime, shape, kDeviceToDevice, stream);
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
    return {nullptr, Refused{CudaError::kInvalidValue, protocol::Refusal::kRange}};
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
    Outcome outcome = Copy(runtime, {range.address, bytes, source, bytes, bytes, 1}, kind, stream);
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
        Outcome outcome = Copy(runtime, {target, bytes, range.address, bytes, bytes, 1}, kind, stream);
        if (waits) runtime.DeliverPrinted();
        return outcome;
      },
      WaitsOfCopy(target, stream));
}

int Fill(const char* call, void* target, std::size_t pitch, int value, std::size_t width_bytes,
         std::size_t height, void* handle) {
  NoteWork(0);
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (width_bytes == 0 || height == 0) return {};
    if (width_bytes > pitch) return Refused{CudaError::kInvalidValue, protocol::Refusal::kRange};
    if (target == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    auto stream = ToStream(runtime, handle);
    if (!stream) return stream.error();
    if (width_bytes == pitch && height <= SIZE_MAX / pitch) {
      width_bytes *= height;
      height = 1;
    }
    for (std::size_t row = 0; row < height; ++row) {
      CudaStatus filled = runtime.device().Fill(ToDevice(target) + row * pitch,
                                                static_cast<std::uint8_t>(value), width_bytes, *stream);
      if (!filled) return filled;
    }
    return {};
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
  return Fill("cudaMemset", target, bytes, value, bytes, 1, nullptr);
}

WARPLINGS_API int cudaMemsetAsync(void* target, int value, std::size_t bytes, void* stream) {
  return Fill("cudaMemsetAsync", target, bytes, value, bytes, 1, stream);
}

WARPLINGS_API int cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                               std::size_t height) {
  return Fill("cudaMemset2D", target, pitch, value, width_bytes, height, nullptr);
}

WARPLINGS_API int cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                                    std::size_t height, void* stream) {
  return Fill("cudaMemset2DAsync", target, pitch, value, width_bytes, height, stream);
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
