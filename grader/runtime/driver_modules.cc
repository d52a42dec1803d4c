// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"

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

Result<Module*, CudaError> LoadImage(Runtime& runtime, ModuleImage image, bool is_library,
                                     const JitLogs& logs) {
  const std::size_t device = runtime.device().device_in_use();
  Module* module = runtime.AddImage(std::move(image.containers),
                                    is_library ? std::nullopt : std::optional<std::size_t>(device));
  const auto loaded = runtime.Load(*module);
  if (loaded) return module;
  const CudaFault& fault = loaded.error();
  logs.Write(English(fault.message));
  runtime.RemoveModule(module);
  // A driver refuses PTX for a newer card as it refuses broken PTX (seen on an H200).
  const bool is_too_new = image.is_text && fault.code == CudaError::kNoKernelImageForDevice;
  return is_too_new ? CudaError::kInvalidPtx : fault.code;
}

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
    const auto module = LoadImage(runtime, std::move(image), is_library, logs);
    if (!module) return module.error();
    *handle = NewHandle(runtime, HandleTag::kDriverModule);
    Modules()[*handle].module = *module;
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

// --- The linker.

/// What a program links, by its handle (CUlinkState).
struct LinkState {
  JitLogs logs;
  std::vector<ModuleImage> images;
  std::vector<std::byte> linked;  ///< Once it is complete.
};

/// The Runtime's mutex guards it.
std::map<const void*, LinkState>& LinkStates() {
  static auto& states = *new std::map<const void*, LinkState>;
  return states;
}

int DestroyLink(void* handle) {
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    if (LinkStates().erase(handle) == 0) return CudaError::kInvalidResourceHandle;
    runtime.owned.erase(handle);
    return {};
  });
}

/// CUjitInputType.
enum InputType : int { kCubin, kPtx, kFatBinary, kObject, kLibrary, kLastInput = 5 };

/// Broken PTX is refused when it is added, as an H200 does; so each image is loaded once by itself.
template <class Read>
int AddInput(void* handle, int type, Read&& read) {
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    const auto found = LinkStates().find(handle);
    if (found == LinkStates().end()) return CudaError::kInvalidResourceHandle;
    LinkState& state = found->second;
    if (!state.linked.empty() || type < kCubin || type > kLastInput) return CudaError::kInvalidValue;
    if (type != kPtx && type != kFatBinary)
      return Refused{CudaError::kNoKernelImageForDevice, protocol::Refusal::kMachineCode};
    ModuleImage image;
    if (const Outcome outcome = read(image); !outcome.ok()) return outcome;
    const auto module = LoadImage(runtime, image, false, state.logs);
    if (!module) return module.error();
    runtime.RemoveModule(*module);
    state.images.push_back(std::move(image));
    return {};
  });
}

}  // namespace
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

// --- The linker: PTX of several sources becomes one module ------------------------------------------

WARPLINGS_API int cuLinkCreate_v2(unsigned count, int* options, void** values, void** state) {
  return Drive("cuLinkCreate", [&] {
    return WithRuntime([&](Runtime& runtime) -> Outcome {
      if (state == nullptr) return kNoResult;
      *state = NewHandle(runtime, HandleTag::kDriverModule);
      const JitLogs logs(count, options, values);
      logs.Write("");
      LinkStates().emplace(*state, LinkState{logs, {}, {}});
      Own(runtime, *state, DestroyLink);
      return {};
    });
  });
}

/// Options of one input say only how fast its code is; messages go where those of the state do.
WARPLINGS_API int cuLinkAddData_v2(void* state, int type, const void* data, std::size_t bytes, const char*,
                                   unsigned, int*, void**) {
  return Drive("cuLinkAddData", [&] {
    const std::string_view image{static_cast<const char*>(data), data == nullptr ? 0 : bytes};
    return AddInput(state, type, [&](ModuleImage& read) { return ReadModuleBytes(image, read); });
  });
}

WARPLINGS_API int cuLinkAddFile_v2(void* state, int type, const char* file, unsigned, int*, void**) {
  return Drive("cuLinkAddFile", [&] {
    return AddInput(state, type, [&](ModuleImage& read) { return ReadModuleFile(file, read); });
  });
}

/// What the program gets is no cubin, but cuModuleLoadData takes it.
WARPLINGS_API int cuLinkComplete(void* handle, void** image, std::size_t* bytes) {
  return Drive("cuLinkComplete", [&] {
    return WithRuntime([&](Runtime& runtime) -> Outcome {
      const auto found = LinkStates().find(handle);
      if (found == LinkStates().end() || !found->second.linked.empty())
        return CudaError::kInvalidResourceHandle;
      if (image == nullptr) return kNoResult;
      LinkState& state = found->second;
      std::vector<std::byte> linked = LinkImages(state.images);
      ModuleImage read;
      Outcome outcome = ReadModuleBytes({reinterpret_cast<const char*>(linked.data()), linked.size()}, read);
      if (!outcome.ok()) return outcome;
      const auto module = LoadImage(runtime, std::move(read), false, state.logs);
      if (!module) return CudaError::kUnknown;  // Two definitions, of an H200.
      runtime.RemoveModule(*module);
      state.linked = std::move(linked);
      *image = state.linked.data();
      if (bytes != nullptr) *bytes = state.linked.size();
      return {};
    });
  });
}

WARPLINGS_API int cuLinkDestroy(void* state) {
  return Drive("cuLinkDestroy", [&] { return DestroyLink(state); });
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
