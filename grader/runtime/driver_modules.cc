// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"
#include "grader/runtime/work.h"

namespace warplings::runtime {
namespace {

const Refused kNoResult{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
const Refused kNoModule{CudaError::kInvalidResourceHandle, protocol::Refusal::kUnknownModule};

/// A module or library that the program loaded, by its handle.
struct DriverModule {
  Module* module = nullptr;
  std::map<std::string, const void*> kernels, variables;  ///< Keys in the Runtime, by name.
};

/// The Runtime's mutex guards it.
std::map<const void*, DriverModule>& Modules() {
  static auto& modules = *new std::map<const void*, DriverModule>;
  return modules;
}

void* NewHandle(Runtime& runtime, HandleTag tag) {
  static std::uint64_t last = 0;
  return Pack({++last, runtime.device().device_in_use(), tag});
}

/// Where the program wants the driver's messages (CUjit_option and its values).
class JitLogs {
 public:
  JitLogs(unsigned count, const int* options, void** values) {
    for (unsigned i = 0; options != nullptr && values != nullptr && i < count; ++i) {
      switch (options[i]) {
        case 3: info_.text = static_cast<char*>(values[i]); break;   // CU_JIT_INFO_LOG_BUFFER
        case 4: info_.SetSize(&values[i]); break;                    // …_SIZE_BYTES
        case 5: error_.text = static_cast<char*>(values[i]); break;  // CU_JIT_ERROR_LOG_BUFFER
        case 6: error_.SetSize(&values[i]); break;
        default: break;  // How fast the code is, and how the driver compiles it.
      }
    }
  }
  void Write(const std::string& error) const {
    info_.Write("");
    error_.Write(error);
  }

 private:
  struct Log {
    char* text = nullptr;
    void** size = nullptr;  ///< Holds the buffer's size, as a pointer; then how much was written.
    unsigned room = 0;

    void SetSize(void** value) {
      size = value;
      room = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(*value));
    }
    void Write(const std::string& words) const {
      if (text == nullptr || room == 0) return;
      const std::size_t written = std::min<std::size_t>(words.size(), room - 1);
      std::memcpy(text, words.data(), written);
      text[written] = '\0';
      *size = reinterpret_cast<void*>(written);
    }
  };
  Log info_, error_;
};

int Unload(void* handle) {
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    const auto found = Modules().find(handle);
    if (found == Modules().end()) return kNoModule;
    runtime.RemoveModule(found->second.module);
    runtime.owned.erase(handle);
    Modules().erase(found);
    return {};
  });
}

/// `read(containers)` reads the image. A library is for all devices, a module for one.
template <class Read>
int Load(void** handle, Read&& read, const JitLogs& logs, bool is_library = false) {
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    if (handle == nullptr) return kNoResult;
    ModuleImage image;
    logs.Write("");
    if (const Outcome outcome = read(image); !outcome.ok()) return outcome;
    const std::size_t device = runtime.device().device_in_use();
    Module* module = runtime.AddImage(std::move(image.containers),
                                      is_library ? std::nullopt : std::optional<std::size_t>(device));
    if (const auto loaded = runtime.Load(*module); !loaded) {
      const CudaFault fault = loaded.error();
      logs.Write(English(fault.message));
      runtime.RemoveModule(module);
      // A driver refuses PTX for a newer card as it refuses broken PTX (seen on an H200).
      const bool is_too_new = image.is_text && fault.code == CudaError::kNoKernelImageForDevice;
      return is_too_new ? CudaError::kInvalidPtx : fault.code;
    }
    *handle = NewHandle(runtime, HandleTag::kDriverModule);
    Modules()[*handle].module = module;
    if (!is_library) Own(runtime, *handle, Unload);
    return {};
  });
}

int LoadData(const char* call, void** module, const void* image, const JitLogs& logs) {
  return Drive(call, [&] {
    return Load(
        module, [&](ModuleImage& read) { return ReadModuleImage(image, read); }, logs);
  });
}

/// Runs `body(runtime, module)` with the module's device in use.
template <class Body>
int WithModule(void* handle, Body&& body) {
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    const auto found = Modules().find(handle);
    if (found == Modules().end()) return kNoModule;
    const auto device = found->second.module->only_device;
    if (device) runtime.device().UseDevice(*device);
    return body(runtime, found->second);
  });
}

int GetKernel(const void** kernel, void* handle, const char* name) {
  return WithModule(handle, [&](Runtime& runtime, DriverModule& module) -> Outcome {
    if (kernel == nullptr || name == nullptr) return kNoResult;
    const auto [known, is_new] = module.kernels.emplace(name, nullptr);
    if (is_new) {
      const void* key = NewHandle(runtime, HandleTag::kDriverSymbol);
      runtime.AddKernel(key, module.module, name);
      if (const auto info = runtime.Resolve(*runtime.FindKernel(key)); !info) {
        const CudaError code = info.error().code;
        runtime.RemoveKernel(key);
        module.kernels.erase(known);
        return code;
      }
      known->second = key;
    }
    *kernel = known->second;
    return {};
  });
}

int GetVariable(unsigned long long* address, std::size_t* bytes, void* handle, const char* name) {
  return WithModule(handle, [&](Runtime& runtime, DriverModule& module) -> Outcome {
    if (name == nullptr) return kNoResult;
    const auto [known, is_new] = module.variables.emplace(name, nullptr);
    if (is_new) {
      known->second = NewHandle(runtime, HandleTag::kDriverSymbol);
      runtime.AddVariable(known->second, module.module, name, 0);
    }
    const auto found = runtime.ResolveVariable(known->second);
    if (!*found) {
      runtime.RemoveVariable(known->second);
      module.variables.erase(known);
      return found->error();
    }
    const VariableInfo& info = **found;
    const bool is_managed = info.mapped_bytes != 0;
    if (is_managed && !IsMapped(runtime, reinterpret_cast<void*>(info.address))) {
      const CudaError mapped =
          runtime.Map(info.address, info.mapped_bytes, info.shared_fd, AllocationKind::kManaged);
      if (mapped != CudaError::kSuccess) return mapped;
    }
    if (address != nullptr) *address = info.address;
    if (bytes != nullptr) *bytes = info.bytes;
    return {};
  });
}

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

int ToDriverResult(int status) {
  const CudaError code{status};
  constexpr CudaError kOnlyOfRuntime[] = {CudaError::kInvalidConfiguration,
                                          CudaError::kInvalidMemcpyDirection, kInvalidPitchValue,
                                          kInvalidHostPointer, kInvalidDevicePointer};
  if (std::ranges::find(kOnlyOfRuntime, code) != std::end(kOnlyOfRuntime)) return kInvalidStatus;
  const bool is_name = code == CudaError::kInvalidSymbol || code == CudaError::kInvalidDeviceFunction;
  return is_name ? static_cast<int>(CudaError::kSymbolNotFound) : status;
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Modules ---------------------------------------------------------------------------------------

WARPLINGS_API int cuModuleLoad(void** module, const char* file) {
  return Drive("cuModuleLoad", [&] {
    return Load(module, [&](ModuleImage& read) { return ReadModuleFile(file, read); }, {0, nullptr, nullptr});
  });
}

WARPLINGS_API int cuModuleLoadData(void** module, const void* image) {
  return LoadData("cuModuleLoadData", module, image, {0, nullptr, nullptr});
}

WARPLINGS_API int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options,
                                     void** values) {
  return LoadData("cuModuleLoadDataEx", module, image, {count, options, values});
}

WARPLINGS_API int cuModuleLoadFatBinary(void** module, const void* image) {
  return LoadData("cuModuleLoadFatBinary", module, image, {0, nullptr, nullptr});
}

/// Kernels of the module may still be running.
WARPLINGS_API int cuModuleUnload(void* module) {
  return Drive("cuModuleUnload", [&] {
    const int status = cudaDeviceSynchronize();
    return status != 0 ? status : Unload(module);
  });
}

WARPLINGS_API int cuModuleGetFunction(const void** function, void* module, const char* name) {
  return Drive("cuModuleGetFunction", [&] { return GetKernel(function, module, name); });
}

WARPLINGS_API int cuModuleGetGlobal_v2(unsigned long long* address, std::size_t* bytes, void* module,
                                       const char* name) {
  return Drive("cuModuleGetGlobal", [&] { return GetVariable(address, bytes, module, name); });
}

// --- Libraries: modules for all devices ------------------------------------------------------------

WARPLINGS_API int cuLibraryLoadData(void** library, const void* image, int* options, void** values,
                                    unsigned count, const int*, void**, unsigned) {
  return Drive<Needs::kInit>("cuLibraryLoadData", [&] {
    return Load(
        library, [&](ModuleImage& read) { return ReadModuleImage(image, read); }, {count, options, values},
        true);
  });
}

WARPLINGS_API int cuLibraryLoadFromFile(void** library, const char* file, int* options, void** values,
                                        unsigned count, const int*, void**, unsigned) {
  return Drive<Needs::kInit>("cuLibraryLoadFromFile", [&] {
    return Load(
        library, [&](ModuleImage& read) { return ReadModuleFile(file, read); }, {count, options, values},
        true);
  });
}

WARPLINGS_API int cuLibraryUnload(void* library) {
  return Drive<Needs::kInit>("cuLibraryUnload", [&] {
    const int status = cudaDeviceSynchronize();
    return status != 0 ? status : Unload(library);
  });
}

WARPLINGS_API int cuLibraryGetKernel(const void** kernel, void* library, const char* name) {
  return Drive<Needs::kInit>("cuLibraryGetKernel", [&] { return GetKernel(kernel, library, name); });
}

WARPLINGS_API int cuLibraryGetGlobal(unsigned long long* address, std::size_t* bytes, void* library,
                                     const char* name) {
  return Drive("cuLibraryGetGlobal", [&] { return GetVariable(address, bytes, library, name); });
}

/// A CUkernel and a CUfunction are the same here.
WARPLINGS_API int cuKernelGetFunction(const void** function, const void* kernel) {
  return Drive("cuKernelGetFunction", [&] {
    return WithRuntime([&](Runtime& runtime) -> Outcome {
      if (function == nullptr) return kNoResult;
      if (runtime.FindKernel(kernel) == nullptr)
        return Refused{CudaError::kInvalidResourceHandle, protocol::Refusal::kUnknownFunction};
      *function = kernel;
      return {};
    });
  });
}

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
