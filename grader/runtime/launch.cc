// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/host_functions.h"
#include "grader/runtime/runtime.h"
#include "grader/runtime/work.h"

namespace warplings::runtime {
namespace {

/// For invalid dimensions of a grid or block, CUDA 12's runtime returns cudaErrorInvalidConfiguration and
/// CUDA 13's returns cudaErrorInvalidValue (both seen on an H200).
constexpr bool kShapeErrorIsInvalidValue = WARPLINGS_CUDA_MAJOR >= 13;

struct Configuration {
  CudaDim3 grid, block;
  std::size_t shared_bytes;
  void* stream;
};

/// kernel<<<…>>>(arguments) pushes before the arguments are evaluated, and those may launch as well.
std::vector<Configuration>& Configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

/// Calls `body(kernel, info)` for a registered kernel.
template <class Body>
Outcome WithKernel(Runtime& runtime, const void* function, Body&& body) {
  Kernel* kernel = runtime.FindKernel(function);
  if (kernel == nullptr) {
    const bool is_of_driver = ThisThreadsDriverUse().call != nullptr;
    return Refused{CudaError::kInvalidResourceHandle,
                   is_of_driver ? protocol::Refusal::kUnknownFunction : protocol::Refusal::kUnknownKernel};
  }
  const std::optional<std::size_t> only_device = kernel->module->only_device;
  if (only_device && *only_device != runtime.device().device_in_use())
    return CudaError::kInvalidResourceHandle;
  auto info = runtime.Resolve(*kernel);
  if (!info) return info.error();
  return body(*kernel, **info);
}

Dim3 ToDim3(CudaDim3 dim) {
  return {dim.x, dim.y, dim.z};
}

bool AreThere(void* const* arguments, std::size_t count) {
  return arguments != nullptr &&
         std::none_of(arguments, arguments + count, [](void* p) { return p == nullptr; });
}

std::vector<std::byte> PackArguments(const KernelInfo& info, void** arguments) {
  std::vector<std::byte> block(info.argument_bytes);
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const KernelParameter& parameter = info.parameters[i];
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return block;
}

LaunchRequest MakeRequest(const KernelInfo& info, const KernelWork& work, StreamId stream) {
  // The real runtime refuses what no block can have; a device takes 32 bits.
  const bool fits = work.shared_bytes <= 0xffff'ffff;
  LaunchRequest request;
  request.kernel = info.id;
  request.grid = ToDim3(work.grid);
  request.block = ToDim3(work.block);
  request.dynamic_shared_bytes = fits ? static_cast<std::uint32_t>(work.shared_bytes) : 0xffff'ffff;
  request.stream = stream;
  request.cooperative = work.cooperative;
  request.arguments = work.arguments;
  return request;
}

Outcome WithShapeError(const Outcome& outcome) {
  const bool is_shape = outcome.code() == CudaError::kInvalidConfiguration;
  return kShapeErrorIsInvalidValue && is_shape ? Outcome(CudaError::kInvalidValue) : outcome;
}

Outcome LaunchKernel(Runtime& runtime, const void* function, const Configuration& shape, void** arguments,
                     bool cooperative) {
  KernelWork work{function, shape.grid, shape.block, shape.shared_bytes, cooperative, {}};
  if (Outcome packed = PackKernel(runtime, work, arguments); !packed.ok()) return packed;
  return GiveToStream(runtime, shape.stream, work, [&] { return RunKernel(runtime, work, shape.stream); });
}

int Launch(const char* call, const void* function, const Configuration& shape, void** arguments,
           bool cooperative) {
  NoteWork(0);
  return Forward(
      call, [&](Runtime& runtime) { return LaunchKernel(runtime, function, shape, arguments, cooperative); });
}

}  // namespace

int LaunchPacked(const char* call, KernelWork work, const std::byte* arguments, std::size_t bytes,
                 void* stream) {
  constexpr std::size_t kMostBytes = 32764;  // CUDA C++ Programming Guide, "__global__ function parameters"
  NoteWork(0);
  return Forward(call, [&](Runtime& runtime) {
    return WithKernel(runtime, work.function, [&](Kernel&, const KernelInfo& info) -> Outcome {
      // What is too long need not be there; the device refuses it.
      const bool is_too_long = bytes > info.argument_bytes;
      work.arguments.resize(std::min(bytes, kMostBytes + 1));
      if (!is_too_long) std::memcpy(work.arguments.data(), arguments, bytes);
      const Outcome launched =
          GiveToStream(runtime, stream, work, [&] { return RunKernel(runtime, work, stream); });
      // Seen on an H200.
      return is_too_long && !launched.ok() ? Outcome(CudaError::kLaunchOutOfResources) : launched;
    });
  });
}

Outcome PackKernel(Runtime& runtime, KernelWork& work, void** arguments) {
  return WithKernel(runtime, work.function, [&](Kernel&, const KernelInfo& info) -> Outcome {
    if (!info.parameters.empty() && !AreThere(arguments, info.parameters.size()))
      return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    work.arguments = PackArguments(info, arguments);
    return {};
  });
}

Outcome CheckKernel(Runtime& runtime, const KernelWork& work) {
  return WithKernel(runtime, work.function, [&](Kernel&, const KernelInfo& info) -> Outcome {
    return WithShapeError(runtime.device().Ask(protocol::ValidateLaunch{MakeRequest(info, work, 0)}));
  });
}

Outcome RunKernel(Runtime& runtime, const KernelWork& work, void* handle) {
  return WithKernel(runtime, work.function, [&](Kernel&, const KernelInfo& info) -> Outcome {
    // A kernel goes to a stream of the current device only (CUDA C++ Programming Guide, "Stream and Event
    // Behavior").
    const std::size_t current = runtime.device().device_in_use();
    auto stream = ToStream(runtime, handle);
    if (!stream) return stream.error();
    if (runtime.device().device_in_use() != current) return CudaError::kInvalidResourceHandle;
    runtime.may_have_printed = true;
    const Outcome outcome(runtime.device().Launch(MakeRequest(info, work, *stream)));
    if (const Outcome shaped = WithShapeError(outcome); shaped.code() != outcome.code()) return shaped;
    // A launch does not wait for its kernel: a fault of the kernel shows at the calls that follow.
    CudaError asynchronous = Settle(runtime, "kernel launch", outcome.code());
    return asynchronous == runtime.sticky ? Outcome() : outcome;
  });
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- What <<<…>>> becomes --------------------------------------------------------------------------

WARPLINGS_API unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block, std::size_t shared_bytes,
                                                   void* stream) {
  return static_cast<unsigned>(Local([&] {
    Configurations().push_back({grid, block, shared_bytes, stream});
    return CudaError::kSuccess;
  }));
}

WARPLINGS_API int __cudaPopCallConfiguration(CudaDim3* grid, CudaDim3* block, std::size_t* shared_bytes,
                                             void* stream) {
  return Local([&] {
    if (Configurations().empty()) return kMissingConfiguration;
    Configuration top = Configurations().back();
    Configurations().pop_back();
    *grid = top.grid;
    *block = top.block;
    *shared_bytes = top.shared_bytes;
    std::memcpy(stream, &top.stream, sizeof top.stream);
    return CudaError::kSuccess;
  });
}

/// A kernel's handle is its host function's address: it stays good when a device is reset.
WARPLINGS_API int __cudaGetKernel(const void** kernel, const void* function) {
  *kernel = function;
  return 0;
}

WARPLINGS_API int cudaGetKernel(const void** kernel, const void* function) {
  return Forward("cudaGetKernel", [&](Runtime& runtime) -> Outcome {
    if (kernel == nullptr) return CudaError::kInvalidValue;
    *kernel = function;
    return runtime.FindKernel(function) == nullptr ? CudaError::kInvalidDeviceFunction : CudaError::kSuccess;
  });
}

WARPLINGS_API int cudaGetFuncBySymbol(const void** function, const void* symbol) {
  return cudaGetKernel(function, symbol);
}

WARPLINGS_API int __cudaLaunchKernel(const void* kernel, CudaDim3 grid, CudaDim3 block, void** arguments,
                                     std::size_t shared_bytes, void* stream) {
  return Launch("kernel launch", kernel, {grid, block, shared_bytes, stream}, arguments, false);
}

WARPLINGS_API int cudaLaunchKernel(const void* function, CudaDim3 grid, CudaDim3 block, void** arguments,
                                   std::size_t shared_bytes, void* stream) {
  return Launch("cudaLaunchKernel", function, {grid, block, shared_bytes, stream}, arguments, false);
}

WARPLINGS_API int cudaLaunchCooperativeKernel(const void* function, CudaDim3 grid, CudaDim3 block,
                                              void** arguments, std::size_t shared_bytes, void* stream) {
  return Launch("cudaLaunchCooperativeKernel", function, {grid, block, shared_bytes, stream}, arguments,
                true);
}

WARPLINGS_API int cudaLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments) {
  NoteWork(0);
  return Forward("cudaLaunchKernelExC", [&](Runtime& runtime) -> Outcome {
    if (config == nullptr || (config->attributes == nullptr && config->attribute_count != 0)) {
      return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    }
    bool cooperative = false;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
      const LaunchAttribute& attribute = config->attributes[i];
      if (attribute.id == kAttributeCooperative) {
        int flag = 0;
        std::memcpy(&flag, attribute.value, sizeof flag);
        cooperative = flag != 0;
      } else if (attribute.id == kAttributeClusterDimension) {
        CudaDim3 cluster{};
        std::memcpy(&cluster, attribute.value, sizeof cluster);
        if (std::uint64_t{cluster.x} * cluster.y * cluster.z != 1) {
          return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
        }
      }  // The others tune priorities and caches; a result does not depend on them.
    }
    Configuration shape{config->grid, config->block, config->dynamic_shared_bytes, config->stream};
    return LaunchKernel(runtime, function, shape, arguments, cooperative);
  });
}

// --- Attributes of kernels -------------------------------------------------------------------------

WARPLINGS_API int cudaFuncGetAttributes(FuncAttributes* attributes, const void* function) {
  return Forward("cudaFuncGetAttributes", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [&](Kernel& kernel, const KernelInfo& info) -> Outcome {
      if (attributes == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
      const DeviceProfile& profile = runtime.device().profile();
      const std::uint32_t fixed = info.resources.shared_bytes;
      // Seen on an H200 with 60,000 bytes of fixed size: then all that the card has is left.
      const std::uint32_t limit = fixed <= profile.shared_bytes_per_block
                                      ? profile.shared_bytes_per_block
                                      : profile.shared_bytes_per_block_optin;
      const std::uint32_t left = limit - std::min(limit, fixed);
      *attributes = FuncAttributes{};
      attributes->shared_bytes = info.resources.shared_bytes;
      attributes->constant_bytes = info.resources.constant_bytes;
      attributes->local_bytes = info.resources.local_bytes;
      attributes->max_threads_per_block = static_cast<int>(info.max_threads_per_block);
      attributes->registers = static_cast<int>(info.resources.registers);
      attributes->ptx_version = static_cast<int>(info.ptx_version);
      attributes->binary_version = profile.major * 10 + profile.minor;
      const std::uint32_t set = kernel.max_dynamic_shared_bytes[runtime.device().device_in_use()];
      attributes->max_dynamic_shared_bytes = static_cast<int>(set != 0 ? set : left);
      attributes->preferred_shared_carveout = -1;
      return {};
    });
  });
}

WARPLINGS_API int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  constexpr int kMaxDynamicShared = 8, kPreferredCarveout = 9;  // enum cudaFuncAttribute
  return Forward("cudaFuncSetAttribute", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [&](Kernel& kernel, const KernelInfo& info) -> Outcome {
      if (attribute == kPreferredCarveout && value >= -1 && value <= 100) return {};
      if (attribute != kMaxDynamicShared || value < 0) return CudaError::kInvalidValue;
      auto bytes = static_cast<std::uint32_t>(value);
      CudaStatus status = runtime.device().SetMaxDynamicShared(info.id, bytes);
      if (status) kernel.max_dynamic_shared_bytes[runtime.device().device_in_use()] = bytes;
      return status;
    });
  });
}

/// A preference between cache and shared memory; a result does not depend on it.
WARPLINGS_API int cudaFuncSetCacheConfig(const void* function, int) {
  return Forward("cudaFuncSetCacheConfig", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [](Kernel&, const KernelInfo&) { return Outcome(); });
  });
}

WARPLINGS_API int cudaFuncSetSharedMemConfig(const void* function, int) {
  return cudaFuncSetCacheConfig(function, 0);
}

WARPLINGS_API int cudaFuncGetName(const char** name, const void* function) {
  return Forward("cudaFuncGetName", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [&](Kernel& kernel, const KernelInfo&) -> Outcome {
      if (name == nullptr) return CudaError::kInvalidValue;
      *name = kernel.name.c_str();
      return {};
    });
  });
}

// --- Occupancy -------------------------------------------------------------------------------------

WARPLINGS_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                         int block_size,
                                                                         std::size_t shared_bytes, unsigned) {
  return Forward("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [&](Kernel&, const KernelInfo& info) -> Outcome {
      if (blocks == nullptr || block_size <= 0 || shared_bytes > 0xffff'ffff) return CudaError::kInvalidValue;
      auto resident = runtime.device().BlocksPerMultiprocessor(
          info.id, static_cast<std::uint32_t>(block_size), static_cast<std::uint32_t>(shared_bytes));
      if (!resident) return resident.error();
      *blocks = static_cast<int>(*resident);
      return {};
    });
  });
}

WARPLINGS_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                int block_size, std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes,
                                                                0);
}

WARPLINGS_API int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                            int blocks, int block_size) {
  return Forward("cudaOccupancyAvailableDynamicSMemPerBlock", [&](Runtime& runtime) {
    return WithKernel(runtime, function, [&](Kernel& kernel, const KernelInfo& info) -> Outcome {
      if (bytes == nullptr || blocks <= 0 || block_size <= 0) return CudaError::kInvalidValue;
      const DeviceProfile& profile = runtime.device().profile();
      const std::uint32_t set = kernel.max_dynamic_shared_bytes[runtime.device().device_in_use()];
      std::uint32_t most = set != 0 ? set : profile.shared_bytes_per_block;
      std::uint32_t share = profile.shared_bytes_per_multiprocessor / static_cast<std::uint32_t>(blocks);
      std::uint32_t taken = profile.reserved_shared_bytes_per_block + info.resources.shared_bytes;
      *bytes = std::min(most, share > taken ? share - taken : 0);
      return {};
    });
  });
}
