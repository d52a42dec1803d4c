// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/arrays.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "grader/runtime/capture.h"

namespace warplings::runtime {
namespace {

/// A row begins with a sector, so that wide accesses to a surface are aligned in each row.
constexpr std::size_t kRowAlignment = 32;
/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 7.0 and later.
struct Limits {
  std::size_t width, height, depth;
};
constexpr Limits k1D{131072, 0, 0}, k2D{131072, 65536, 0}, k3D{16384, 16384, 16384},
    kLayered1D{32768, 0, 2048}, kLayered2D{32768, 32768, 2048}, kCube{32768, 32768, 6},
    kLayeredCube{32768, 32768, 2046};

/// All arrays, with a lock of their own: calls look at their arguments before they take the runtime's lock.
struct Arrays {
  std::mutex mutex;
  std::map<const void*, Array> all;
  std::uint64_t next = 1;
};
Arrays& All() {
  static Arrays* const arrays = new Arrays;
  return *arrays;
}

Limits LimitsOf(const Extent& extent, unsigned flags) {
  const bool is_layered = flags & kLayered;
  if (flags & kCubemap) return is_layered ? kLayeredCube : kCube;
  if (is_layered) return extent.height == 0 ? kLayered1D : kLayered2D;
  return extent.depth != 0 ? k3D : extent.height != 0 ? k2D : k1D;
}

/// Which extents there are: cudaMalloc3DArray's table in cuda_runtime_api.h.
bool IsPossible(const Extent& extent, unsigned flags) {
  const Limits limits = LimitsOf(extent, flags);
  if (extent.width_bytes == 0 || extent.width_bytes > limits.width || extent.height > limits.height ||
      extent.depth > limits.depth)
    return false;
  if (flags & kCubemap) {
    const bool has_faces =
        (flags & kLayered) ? extent.depth != 0 && extent.depth % 6 == 0 : extent.depth == 6;
    return extent.width_bytes == extent.height && has_faces;
  }
  if (flags & kLayered) return extent.depth != 0;
  return extent.depth == 0 || extent.height != 0;
}

Outcome MakeArray(Runtime& runtime, void** handle, const ChannelDescription* channels, const Extent& extent,
                  unsigned flags) {
  if (auto refused = RefuseDuringCapture(runtime)) return *refused;
  if (handle == nullptr || channels == nullptr) return kNoPointer;
  constexpr unsigned kSupported = kLayered | kSurfaceLoadStore | kCubemap | kTextureGather;
  if (flags & ~kSupported) return kNotHere;
  Array array{.channels = *channels, .extent = extent, .flags = flags};
  array.element_bytes = ElementBytes(*channels);
  if (array.element_bytes == 0) return kInvalidChannelDescriptor;
  if (!IsPossible(extent, flags)) return kDoesNotFit;
  const std::size_t row = extent.width_bytes * array.element_bytes;
  array.row_bytes = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  auto allocation = runtime.device().Allocate(array.slice_bytes() * array.slices(), AllocationKind::kArray);
  if (!allocation) {
    // A real card: the program has to know which call it was.
    if (allocation.error().code == CudaError::kNotSupported) return kNotHere;
    return allocation.error();
  }
  array.base = allocation->address;
  array.device = runtime.device().device_in_use();
  Arrays& arrays = All();
  std::lock_guard lock(arrays.mutex);
  *handle = Pack({arrays.next++, array.device, HandleTag::kArray});
  arrays.all.emplace(*handle, array);
  return {};
}

Outcome FreeOne(Runtime& runtime, void* handle) {
  if (handle == nullptr) return {};
  if (auto refused = RefuseDuringCapture(runtime)) return *refused;
  Arrays& arrays = All();
  std::lock_guard lock(arrays.mutex);
  const auto found = arrays.all.find(handle);
  if (found == arrays.all.end()) return Refused{CudaError::kInvalidValue, protocol::Refusal::kWrongFree};
  const DevicePointer base = found->second.base;
  arrays.all.erase(found);
  return runtime.device().Free(base);
}

}  // namespace

std::size_t ElementBytes(const ChannelDescription& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  const auto count = static_cast<std::size_t>(std::find(bits, bits + 4, 0) - bits);
  const bool is_even = std::all_of(bits, bits + count, [&](int each) { return each == bits[0]; }) &&
                       std::all_of(bits + count, bits + 4, [](int each) { return each == 0; });
  const bool is_float = channels.kind == kFloatChannels;
  const bool has_width = bits[0] == 32 || bits[0] == 16 || (bits[0] == 8 && !is_float);
  const bool has_kind = is_float || channels.kind == kSignedChannels || channels.kind == kUnsignedChannels;
  if (!is_even || !has_width || !has_kind || count == 3) return 0;
  return count * static_cast<std::size_t>(bits[0]) / 8;
}

std::optional<Array> FindArray(const void* handle) {
  Arrays& arrays = All();
  std::lock_guard lock(arrays.mutex);
  const auto found = arrays.all.find(handle);
  if (found == arrays.all.end()) return std::nullopt;
  return found->second;
}

Outcome PlaceInArray(const Array& array, const Extent& position, const Extent& extent,
                     PitchedPointer& place) {
  const auto fits = [](std::size_t at, std::size_t size, std::size_t whole) {
    return at <= whole && size <= whole - at;
  };
  const std::size_t width = array.extent.width_bytes * array.element_bytes;
  if (!fits(position.width_bytes, extent.width_bytes, width) ||
      !fits(position.height, extent.height, array.rows()) ||
      !fits(position.depth, extent.depth, array.slices()))
    return kDoesNotFit;
  const DevicePointer at = array.base + position.depth * array.slice_bytes() +
                           position.height * array.row_bytes + position.width_bytes;
  place = {reinterpret_cast<void*>(at), array.row_bytes, width, array.rows()};
  return {};
}

void ForgetArrays(std::size_t device) {
  Arrays& arrays = All();
  std::lock_guard lock(arrays.mutex);
  std::erase_if(arrays.all, [&](const auto& entry) { return entry.second.device == device; });
}

namespace {

/// A copy of `width_bytes` x `height` between arrays, or between an array and memory.
struct Side {
  const void* array = nullptr;  ///< Null: memory.
  Extent position{};            ///< In an array.
  const void* memory = nullptr;
  std::size_t pitch = 0;
};

Outcome PlaceSide(const Side& side, std::size_t width_bytes, std::size_t height, void*& pointer,
                  std::size_t& pitch) {
  if (side.array == nullptr) {
    if (width_bytes > side.pitch && height > 1) return Refused{kInvalidPitchValue, protocol::Refusal::kRange};
    pointer = const_cast<void*>(side.memory);
    pitch = std::max(side.pitch, width_bytes);
    return {};
  }
  const std::optional<Array> array = FindArray(side.array);
  if (!array) return kNoArray;
  PitchedPointer place{};
  Outcome placed = PlaceInArray(*array, side.position, {width_bytes, height, 1}, place);
  pointer = place.pointer;
  pitch = place.pitch;
  return placed;
}

int CopyRows(const char* call, const Side& target, const Side& source, std::size_t width_bytes,
             std::size_t height, int kind, void* stream, bool waits) {
  Rectangle shape{.width_bytes = width_bytes, .height = height};
  void* from = nullptr;
  Outcome placed = PlaceSide(target, width_bytes, height, shape.target, shape.target_pitch);
  if (placed.ok()) placed = PlaceSide(source, width_bytes, height, from, shape.source_pitch);
  shape.source = from;
  return CopyPlaced(call, placed, {shape, kind}, stream, waits);
}

/// A part of a copy of bytes that fill an array row by row.
struct Part {
  std::size_t x, y, width_bytes, height, offset;
};
/// The rest of the first row, whole rows, the start of the last.
Outcome SplitIntoRows(const Array& array, std::size_t x, std::size_t y, std::size_t bytes, Part (&parts)[3],
                      std::size_t& count) {
  const std::size_t width = array.extent.width_bytes * array.element_bytes;
  if (x > width || y > array.rows() || bytes > width * (array.rows() - y) - (y < array.rows() ? x : 0))
    return kDoesNotFit;
  std::size_t done = 0;
  const auto add = [&](std::size_t part_width, std::size_t height) {
    if (part_width == 0 || height == 0) return;
    parts[count++] = {x, y, part_width, height, done};
    done += part_width * height;
    y += height;
    x = 0;
  };
  if (x != 0) {
    const bool ends_row = bytes >= width - x;
    add(ends_row ? width - x : bytes, 1);
  }
  add(width, (bytes - done) / width);
  add(bytes - done, 1);
  return {};
}

enum class Direction { kIn, kOut };
int CopyArrayBytes(const char* call, const void* handle, std::size_t x, std::size_t y, const void* memory,
                   std::size_t bytes, int kind, void* stream, Direction direction, bool waits) {
  const std::optional<Array> array = FindArray(handle);
  Part parts[3];
  std::size_t count = 0;
  const Outcome split = array ? SplitIntoRows(*array, x, y, bytes, parts, count) : Outcome(kNoArray);
  if (!split.ok()) return CopyPlaced(call, split, {}, stream, waits);
  for (const Part& part : std::span(parts, count)) {
    const Side in_array{.array = handle, .position = {part.x, part.y, 0}};
    const Side in_memory{.memory = static_cast<const std::byte*>(memory) + part.offset,
                         .pitch = part.width_bytes};
    const bool is_in = direction == Direction::kIn;
    const int status = CopyRows(call, is_in ? in_array : in_memory, is_in ? in_memory : in_array,
                                part.width_bytes, part.height, kind, stream, waits);
    if (status != 0) return status;
  }
  return Finish(CudaError::kSuccess);
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Making arrays ---------------------------------------------------------------------------------

WARPLINGS_API int cudaMallocArray(void** array, const ChannelDescription* channels, std::size_t width,
                                  std::size_t height, unsigned flags) {
  return Forward("cudaMallocArray", [&](Runtime& runtime) {
    return MakeArray(runtime, array, channels, {width, height, 0}, flags);
  });
}

WARPLINGS_API int cudaMalloc3DArray(void** array, const ChannelDescription* channels, Extent extent,
                                    unsigned flags) {
  return Forward("cudaMalloc3DArray",
                 [&](Runtime& runtime) { return MakeArray(runtime, array, channels, extent, flags); });
}

WARPLINGS_API int cudaFreeArray(void* array) {
  return Forward(
      "cudaFreeArray", [&](Runtime& runtime) { return FreeOne(runtime, array); }, Waits{});
}

WARPLINGS_API int cudaArrayGetInfo(ChannelDescription* channels, Extent* extent, unsigned* flags,
                                   void* handle) {
  return Forward<AfterFault::kWorks>("cudaArrayGetInfo", [&](Runtime&) -> Outcome {
    const std::optional<Array> array = FindArray(handle);
    if (!array) return kNoArray;
    if (channels != nullptr) *channels = array->channels;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return {};
  });
}

WARPLINGS_API int cudaGetChannelDesc(ChannelDescription* channels, const void* handle) {
  return Forward<AfterFault::kWorks>("cudaGetChannelDesc", [&](Runtime&) -> Outcome {
    const std::optional<Array> array = FindArray(handle);
    if (!array) return kNoArray;
    if (channels == nullptr) return kNoPointer;
    *channels = array->channels;
    return {};
  });
}

/// Only describes an element; headers call it where no texture is used.
WARPLINGS_API ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}

// --- Copies ----------------------------------------------------------------------------------------

WARPLINGS_API int cudaMemcpy2DToArray(void* target, std::size_t x, std::size_t y, const void* source,
                                      std::size_t pitch, std::size_t width, std::size_t height, int kind) {
  return CopyRows("cudaMemcpy2DToArray", {.array = target, .position = {x, y, 0}},
                  {.memory = source, .pitch = pitch}, width, height, kind, nullptr, true);
}
WARPLINGS_API int cudaMemcpy2DToArrayAsync(void* target, std::size_t x, std::size_t y, const void* source,
                                           std::size_t pitch, std::size_t width, std::size_t height, int kind,
                                           void* stream) {
  return CopyRows("cudaMemcpy2DToArrayAsync", {.array = target, .position = {x, y, 0}},
                  {.memory = source, .pitch = pitch}, width, height, kind, stream, false);
}
WARPLINGS_API int cudaMemcpy2DFromArray(void* target, std::size_t pitch, const void* source, std::size_t x,
                                        std::size_t y, std::size_t width, std::size_t height, int kind) {
  return CopyRows("cudaMemcpy2DFromArray", {.memory = target, .pitch = pitch},
                  {.array = source, .position = {x, y, 0}}, width, height, kind, nullptr, true);
}
WARPLINGS_API int cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, const void* source,
                                             std::size_t x, std::size_t y, std::size_t width,
                                             std::size_t height, int kind, void* stream) {
  return CopyRows("cudaMemcpy2DFromArrayAsync", {.memory = target, .pitch = pitch},
                  {.array = source, .position = {x, y, 0}}, width, height, kind, stream, false);
}
WARPLINGS_API int cudaMemcpy2DArrayToArray(void* target, std::size_t target_x, std::size_t target_y,
                                           const void* source, std::size_t source_x, std::size_t source_y,
                                           std::size_t width, std::size_t height, int kind) {
  return CopyRows("cudaMemcpy2DArrayToArray", {.array = target, .position = {target_x, target_y, 0}},
                  {.array = source, .position = {source_x, source_y, 0}}, width, height, kind, nullptr, true);
}

WARPLINGS_API int cudaMemcpyToArray(void* target, std::size_t x, std::size_t y, const void* source,
                                    std::size_t bytes, int kind) {
  return CopyArrayBytes("cudaMemcpyToArray", target, x, y, source, bytes, kind, nullptr, Direction::kIn,
                        true);
}
WARPLINGS_API int cudaMemcpyToArrayAsync(void* target, std::size_t x, std::size_t y, const void* source,
                                         std::size_t bytes, int kind, void* stream) {
  return CopyArrayBytes("cudaMemcpyToArrayAsync", target, x, y, source, bytes, kind, stream, Direction::kIn,
                        false);
}
WARPLINGS_API int cudaMemcpyFromArray(void* target, const void* source, std::size_t x, std::size_t y,
                                      std::size_t bytes, int kind) {
  return CopyArrayBytes("cudaMemcpyFromArray", source, x, y, target, bytes, kind, nullptr, Direction::kOut,
                        true);
}
WARPLINGS_API int cudaMemcpyFromArrayAsync(void* target, const void* source, std::size_t x, std::size_t y,
                                           std::size_t bytes, int kind, void* stream) {
  return CopyArrayBytes("cudaMemcpyFromArrayAsync", source, x, y, target, bytes, kind, stream,
                        Direction::kOut, false);
}
