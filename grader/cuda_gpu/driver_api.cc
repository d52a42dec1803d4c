// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/driver_api.h"

#include <dlfcn.h>

#include "grader/cuda_gpu/address_window.h"
#include "grader/messages/device.h"

namespace warplings::cuda_gpu {
namespace {

/// 13000 as "13.0".
std::string VersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// cuda.h makes macros of names that have versions: cuMemAlloc is cuMemAlloc_v2. The library knows the latter.
#define WARPLINGS_TEXT_OF(name) #name
#define WARPLINGS_SYMBOL(name) WARPLINGS_TEXT_OF(name)

/// NVIDIA's library, where the loader finds it. Where the folder of ours is on LD_LIBRARY_PATH, it finds
/// that, which has a runtime behind it; then NVIDIA's is looked for where distributions, containers and WSL
/// have it.
void* OpenDriver() {
  for (const char* const name :
       {"libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib64/libcuda.so.1",
        "/usr/lib/libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (::dlsym(library, "cudaMalloc") == nullptr) return library;
    ::dlclose(library);
  }
  return nullptr;
}

Result<DriverApi> Load() {
  void* library = OpenDriver();
  if (library == nullptr) return GraderError(say::no_driver(), say::use_virtual());
  DriverApi api;
  std::string missing;
#define WARPLINGS_LOAD(name)                                                                 \
  api.name = reinterpret_cast<decltype(api.name)>(::dlsym(library, WARPLINGS_SYMBOL(name))); \
  if (api.name == nullptr) missing = WARPLINGS_SYMBOL(name);
  WARPLINGS_DRIVER_FUNCTIONS(WARPLINGS_LOAD)
#undef WARPLINGS_LOAD
  int version = 0;
  if (api.cuDriverGetVersion != nullptr) api.cuDriverGetVersion(&version);
  // Within a major version, a driver runs what any compiler of it makes for its card.
  if (version / 1000 < CUDA_VERSION / 1000) {
    return GraderError(say::driver_too_old(VersionText(version), VersionText(CUDA_VERSION)),
                       say::update_driver_or_use_virtual());
  }
  if (!missing.empty()) return GraderError(say::driver_lacks(missing), say::update_driver());
  OccupyHighAddresses();
  if (const CUresult code = api.cuInit(0); code != CUDA_SUCCESS) {
    return GraderError(say::driver_does_not_start(Describe(api, code)), say::use_virtual());
  }
  int count = 0;
  api.cuDeviceGetCount(&count);
  if (count == 0) return GraderError(say::driver_without_card(), say::use_virtual());
  return api;
}

}  // namespace

Result<const DriverApi*> LoadDriver() {
  static const Result<DriverApi> loaded = Load();
  if (!loaded) return loaded.error();
  return &*loaded;
}

std::string Describe(const DriverApi& driver, CUresult code) {
  const char *name = nullptr, *text = nullptr;
  if (driver.cuGetErrorName != nullptr) driver.cuGetErrorName(code, &name);
  if (driver.cuGetErrorString != nullptr) driver.cuGetErrorString(code, &text);
  return std::string(name != nullptr ? name : "error " + std::to_string(code)) + ": " +
         (text != nullptr ? text : "no text");
}

CudaError RuntimeError(CUresult code) {
  switch (code) {
    case CUDA_ERROR_INVALID_IMAGE: return CudaError::kInvalidKernelImage;
    case CUDA_ERROR_NO_BINARY_FOR_GPU: return CudaError::kNoKernelImageForDevice;
    case CUDA_ERROR_NOT_FOUND: return CudaError::kSymbolNotFound;
    default: return static_cast<CudaError>(code);
  }
}

}  // namespace warplings::cuda_gpu
