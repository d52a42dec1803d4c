// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"
#include "grader/runtime/work.h"

namespace warplings::runtime {
namespace {

/// The argument block that cuLaunchKernel's `extra` describes.
struct Buffer {
  const std::byte* bytes = nullptr;
  const std::size_t* size = nullptr;
  bool is_complete = true;  ///< Nothing but buffer and size, and an end.
};
Buffer ReadExtra(void* const* extra) {
  constexpr std::uintptr_t kEnd = 0, kPointer = 1, kSize = 2;  // CU_LAUNCH_PARAM_…_AS_INT
  Buffer buffer;
  for (; extra != nullptr && buffer.is_complete; extra += 2) {
    switch (reinterpret_cast<std::uintptr_t>(extra[0])) {
      case kEnd: return buffer;
      case kPointer: buffer.bytes = static_cast<const std::byte*>(extra[1]); break;
      case kSize: buffer.size = static_cast<const std::size_t*>(extra[1]); break;
      default: buffer.is_complete = false;
    }
  }
  return buffer;
}

struct Shape {
  CudaDim3 grid, block;
  unsigned shared_bytes;
  void* stream;
};

int Launch(const void* function, const Shape& shape, void** arguments, void** extra,
           LaunchAttribute* attributes, unsigned attribute_count) {
  const Buffer buffer = ReadExtra(extra);
  const bool has_buffer = buffer.bytes != nullptr || buffer.size != nullptr;
  const bool is_whole = buffer.is_complete && (buffer.bytes != nullptr) == (buffer.size != nullptr);
  if (!is_whole || (has_buffer && arguments != nullptr)) {
    return WithRuntime([](Runtime&) -> Outcome {
      return Refused{CudaError::kInvalidValue, protocol::Refusal::kMixedArguments};
    });
  }
  if (has_buffer) {
    const KernelWork work{function, shape.grid, shape.block, shape.shared_bytes, false, {}};
    return LaunchPacked("cuLaunchKernel", work, buffer.bytes, *buffer.size, shape.stream);
  }
  const LaunchConfig config{shape.grid,   shape.block, shape.shared_bytes,
                            shape.stream, attributes,  attribute_count};
  return cudaLaunchKernelExC(&config, function, arguments);
}

int ReadAttribute(int* value, int attribute, const void* function) {
  constexpr int kLast = 15;  // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED and one more: of clusters.
  if (value == nullptr || attribute < 0 || attribute > kLast) return kInvalidStatus;
  FuncAttributes all{};
  if (const int status = cudaFuncGetAttributes(&all, function); status != 0) return status;
  const int values[] = {all.max_threads_per_block,
                        static_cast<int>(all.shared_bytes),
                        static_cast<int>(all.constant_bytes),
                        static_cast<int>(all.local_bytes),
                        all.registers,
                        all.ptx_version,
                        all.binary_version,
                        all.cache_mode_ca,
                        all.max_dynamic_shared_bytes,
                        all.preferred_shared_carveout};
  *value = attribute < static_cast<int>(std::size(values)) ? values[attribute] : 0;
  return 0;
}

/// The block size with the most resident threads, and the fewest blocks that fill the device with it.
int MaximiseOccupancy(int* grid, int* block, const void* function, std::size_t (*shared_of)(int),
                      std::size_t shared_bytes, int limit) {
  if (grid == nullptr || block == nullptr) return kInvalidStatus;
  FuncAttributes attributes{};
  if (const int status = cudaFuncGetAttributes(&attributes, function); status != 0) return status;
  constexpr int kWarp = 32, kMultiprocessors = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
  int multiprocessors = 0, most = 0;
  (void)cudaDeviceGetAttribute(&multiprocessors, kMultiprocessors, CurrentDevice());
  const int largest =
      limit > 0 ? std::min(limit, attributes.max_threads_per_block) : attributes.max_threads_per_block;
  for (int threads = (largest + kWarp - 1) / kWarp * kWarp; threads > 0; threads -= kWarp) {
    const int size = std::min(threads, largest);
    int blocks = 0;
    const int status = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, function, size, shared_of != nullptr ? shared_of(size) : shared_bytes, 0);
    if (status != 0) return status;
    if (blocks * size <= most) continue;
    most = blocks * size;
    *block = size;
    *grid = blocks * multiprocessors;
  }
  return most == 0 ? kInvalidStatus : 0;
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Launches --------------------------------------------------------------------------------------

WARPLINGS_API int cuLaunchKernel(const void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 void* stream, void** arguments, void** extra) {
  return Drive("cuLaunchKernel", [&] {
    const Shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream};
    return Launch(function, shape, arguments, extra, nullptr, 0);
  });
}
WARPLINGS_API int cuLaunchKernel_ptsz(const void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared_bytes, void* stream, void** arguments, void** extra) {
  return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                        OwnIfDefault(stream), arguments, extra);
}

WARPLINGS_API int cuLaunchCooperativeKernel(const void* function, unsigned grid_x, unsigned grid_y,
                                            unsigned grid_z, unsigned block_x, unsigned block_y,
                                            unsigned block_z, unsigned shared_bytes, void* stream,
                                            void** arguments) {
  return Drive("cuLaunchCooperativeKernel", [&] {
    const Shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream};
    LaunchAttribute cooperative{.id = kAttributeCooperative, .padding = 0, .value = {1}};
    return Launch(function, shape, arguments, nullptr, &cooperative, 1);
  });
}
WARPLINGS_API int cuLaunchCooperativeKernel_ptsz(const void* function, unsigned grid_x, unsigned grid_y,
                                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                                 unsigned block_z, unsigned shared_bytes, void* stream,
                                                 void** arguments) {
  return cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                                   OwnIfDefault(stream), arguments);
}

WARPLINGS_API int cuLaunchKernelEx(const DriverLaunchConfig* config, const void* function, void** arguments,
                                   void** extra) {
  return Drive("cuLaunchKernelEx", [&] {
    if (config == nullptr) return kInvalidStatus;
    const Shape shape{config->grid, config->block, config->shared_bytes, config->stream};
    return Launch(function, shape, arguments, extra, config->attributes, config->attribute_count);
  });
}
WARPLINGS_API int cuLaunchKernelEx_ptsz(const DriverLaunchConfig* config, const void* function,
                                        void** arguments, void** extra) {
  if (config == nullptr) return cuLaunchKernelEx(config, function, arguments, extra);
  DriverLaunchConfig own = *config;
  own.stream = OwnIfDefault(config->stream);
  return cuLaunchKernelEx(&own, function, arguments, extra);
}

// --- Attributes and occupancy ----------------------------------------------------------------------

WARPLINGS_API int cuFuncGetAttribute(int* value, int attribute, const void* function) {
  return Drive("cuFuncGetAttribute", [&] { return ReadAttribute(value, attribute, function); });
}
WARPLINGS_API int cuFuncSetAttribute(const void* function, int attribute, int value) {
  return Drive("cuFuncSetAttribute", [&] { return cudaFuncSetAttribute(function, attribute, value); });
}
WARPLINGS_API int cuFuncSetCacheConfig(const void* function, int config) {
  return Drive("cuFuncSetCacheConfig", [&] { return cudaFuncSetCacheConfig(function, config); });
}
WARPLINGS_API int cuFuncGetName(const char** name, const void* function) {
  return Drive("cuFuncGetName", [&] { return cudaFuncGetName(name, function); });
}

WARPLINGS_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                       int block_size,
                                                                       std::size_t shared_bytes,
                                                                       unsigned flags) {
  return Drive("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes,
                                                                  flags);
  });
}
WARPLINGS_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                              int block_size, std::size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, 0);
}
WARPLINGS_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, const void* function,
                                                            std::size_t (*shared_of)(int),
                                                            std::size_t shared_bytes, int limit, unsigned) {
  return Drive("cuOccupancyMaxPotentialBlockSize",
               [&] { return MaximiseOccupancy(grid, block, function, shared_of, shared_bytes, limit); });
}
WARPLINGS_API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function,
                                                   std::size_t (*shared_of)(int), std::size_t shared_bytes,
                                                   int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared_bytes, limit, 0);
}
WARPLINGS_API int cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                          int blocks, int block_size) {
  return Drive("cuOccupancyAvailableDynamicSMemPerBlock", [&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block_size);
  });
}
