// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

/// The functions to which nvcc inserts calls into every program; crt/host_runtime.h declares them. They run
/// in constructors and at exit, so they only record things and touch no device, except to unload modules.
using namespace warplings::runtime;

namespace {

/// Handles are opaque to programs; ours point to a Module.
Module* ToModule(void** handle) {
  return reinterpret_cast<Module*>(handle);
}

/// Runs `body(runtime)` under the lock; a constructor has nobody to report a failure to.
template <class Body>
void Note(Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::Get();
    std::lock_guard lock(runtime.mutex());
    body(runtime);
  } catch (...) {
    Warn("out of memory while the program's kernels were registered.");
  }
}

}  // namespace

WARPLINGS_API void** __cudaRegisterFatBinary(void* fatbin) {
  Module* module = nullptr;
  Note([&](Runtime& runtime) { module = runtime.AddModule(fatbin); });
  return reinterpret_cast<void**>(module);
}

WARPLINGS_API void __cudaRegisterFatBinaryEnd(void**) {}

WARPLINGS_API void __cudaUnregisterFatBinary(void** handle) {
  if (handle == nullptr) return;
  Note([&](Runtime& runtime) { runtime.RemoveModule(ToModule(handle)); });
}

WARPLINGS_API void __cudaRegisterFunction(void** handle, const char* host_function, char*,
                                          const char* device_name, int, void*, void*, CudaDim3*, CudaDim3*,
                                          int*) {
  Note([&](Runtime& runtime) { runtime.AddKernel(host_function, ToModule(handle), device_name); });
}

WARPLINGS_API void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int,
                                     std::size_t bytes, int is_constant, int) {
  Note([&](Runtime& runtime) {
    runtime.AddVariable(host_variable, ToModule(handle), device_name, bytes, is_constant != 0);
  });
}

WARPLINGS_API void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*,
                                            const char* device_name, int, std::size_t bytes, int, int) {
  Note([&](Runtime& runtime) {
    runtime.AddManagedVariable(host_pointer, ToModule(handle), device_name, bytes);
  });
}

/// What a program calls before it first touches a __managed__ variable: the module has to be there.
WARPLINGS_API char __cudaInitModule(void** handle) {
  if (handle == nullptr) return 0;
  int failed = Forward("a __managed__ variable", [&](Runtime& runtime) -> Outcome {
    auto loaded = runtime.Load(*ToModule(handle));
    return loaded ? Outcome() : Outcome(loaded.error());
  });
  return failed == 0;
}

WARPLINGS_API void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}
WARPLINGS_API void __cudaRegisterUnifiedTable(void**, void*) {}
