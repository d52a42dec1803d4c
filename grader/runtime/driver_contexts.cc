// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"

namespace warplings::runtime {
namespace {

/// CUcontext points to one. Destroyed ones are kept, so that a later use is recognised.
struct Context {
  std::size_t device = 0;
  bool is_primary = false;
  bool is_alive = true;  ///< A primary one lives again when it is next retained.
  unsigned flags = 0;
  unsigned retained = 0;  ///< A primary one: by cuDevicePrimaryCtxRetain.
};

constexpr unsigned kContextFlags = 0xff;  // CU_CTX_FLAGS_MASK

const Refused kNullResult{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
const Refused kNoSuchContext{kInvalidContext, protocol::Refusal::kUnknownContext};
const Refused kDestroyed{kContextIsDestroyed, protocol::Refusal::kUnknownContext};

/// All that there have been; the Runtime's mutex guards it.
std::vector<Context*>& Contexts() {
  static auto& contexts = *new std::vector<Context*>;
  return contexts;
}

Context* AddContext(std::size_t device, unsigned flags, bool is_primary) {
  Contexts().push_back(new Context{.device = device, .is_primary = is_primary, .flags = flags});
  return Contexts().back();
}

Context* PrimaryOf(std::size_t device) {
  for (Context* context : Contexts())
    if (context->is_primary && context->device == device) return context;
  return AddContext(device, 0, true);
}

/// The context of a handle, or why it cannot be used. Errors are those of an H200's driver.
Outcome FindContext(const void* handle, Context*& context) {
  if (handle == nullptr) return kNullResult;
  const auto found = std::ranges::find(Contexts(), handle);
  if (found == Contexts().end()) return kNoSuchContext;
  context = *found;
  return context->is_alive ? Outcome() : kDestroyed;
}

/// The thread's contexts, the current one last. Never destroyed: destructors may make calls.
std::vector<Context*>& Stack() {
  thread_local auto& stack = *new std::vector<Context*>;
  return stack;
}

/// After each change of the stack.
void UseTopOfStack() {
  ThisThreadsDriverUse().has_context = !Stack().empty();
  if (!Stack().empty()) CurrentDevice() = static_cast<int>(Stack().back()->device);
}

Context* CurrentContext() {
  const auto device = static_cast<std::size_t>(CurrentDevice());
  const bool is_on_stack = !Stack().empty();
  if (is_on_stack && Stack().back()->device == device) return Stack().back();
  // After cudaSetDevice, the current context is the primary one.
  if (!is_on_stack && !ThisThreadsDriverUse().has_primary) return nullptr;
  PrimaryOf(device)->is_alive = true;
  return PrimaryOf(device);
}

/// Destroys what the context owns.
void Empty(const Context* context) {
  std::vector<std::pair<void*, int (*)(void*)>> objects;
  (void)WithRuntime<AfterFault::kWorks>([&](Runtime& runtime) -> Outcome {
    std::erase_if(runtime.owned, [&](const auto& entry) {
      if (entry.second.context != context) return false;
      objects.emplace_back(const_cast<void*>(entry.first), entry.second.destroy);
      return true;
    });
    return {};
  });
  for (const auto& [object, destroy] : objects) (void)destroy(object);
}

/// Waits for the context's work, then destroys all that is in the context.
int EmptyAfterWork(const Context* context) {
  const int before = std::exchange(CurrentDevice(), static_cast<int>(context->device));
  const int status = cudaDeviceSynchronize();
  Empty(context);
  CurrentDevice() = before;
  return status;
}

int CreateContext(void** handle, unsigned flags, int device) {
  return Drive<Needs::kInit>("cuCtxCreate", [&] {
    return WithRuntime([&](Runtime& runtime) -> Outcome {
      if (handle == nullptr) return kNullResult;
      if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
      if ((flags & ~kContextFlags) != 0) return CudaError::kInvalidValue;
      Context* context = AddContext(static_cast<std::size_t>(device), flags, false);
      Stack().push_back(context);
      UseTopOfStack();
      *handle = context;
      return {};
    });
  });
}

int DestroyContext(void* handle) {
  Context* context = nullptr;
  const int usable = WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
    const Outcome found = FindContext(handle, context);
    return found.ok() && context->is_primary ? kNoSuchContext : found;
  });
  if (usable != 0) return usable;
  const int status = EmptyAfterWork(context);
  (void)WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
    context->is_alive = false;
    return {};
  });
  if (!Stack().empty() && Stack().back() == context) Stack().pop_back();
  UseTopOfStack();
  return status;
}

int FindDeviceOf(const void* handle, int& device) {
  return WithRuntime([&](Runtime&) -> Outcome {
    Context* context = nullptr;
    const Outcome found = FindContext(handle, context);
    if (found.ok()) device = static_cast<int>(context->device);
    return found;
  });
}

/// For calls about a device: runs `body(runtime, profile)`.
template <class Body>
int WithDevice(const char* call, int device, Body&& body) {
  return Drive<Needs::kInit>(call, [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime& runtime) -> Outcome {
      if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
      return body(runtime, runtime.device().profile_of(static_cast<std::size_t>(device)));
    });
  });
}

int ReleasePrimary(int device) {
  Context* emptied = nullptr;
  const int status =
      WithDevice("cuDevicePrimaryCtxRelease", device, [&](Runtime&, const DeviceProfile&) -> Outcome {
        Context* primary = PrimaryOf(static_cast<std::size_t>(device));
        if (primary->retained == 0) return kNoSuchContext;
        // The runtime holds it, too.
        if (--primary->retained == 0 && !ThisThreadsDriverUse().has_primary) emptied = primary;
        primary->is_alive = emptied == nullptr;
        return {};
      });
  if (emptied == nullptr) return status;
  return Drive<Needs::kInit>("cuDevicePrimaryCtxRelease", [&] { return EmptyAfterWork(emptied); });
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

int CheckNeeds(Needs needs) {
  if (needs == Needs::kNothing) return 0;
  return WithRuntime<AfterFault::kWorks>([&](Runtime& runtime) -> Outcome {
    if (!runtime.is_initialised) return Refused{kInitializationError, protocol::Refusal::kNotInitialised};
    if (needs == Needs::kInit) return {};
    const Context* current = CurrentContext();
    if (current == nullptr) return Refused{kInvalidContext, protocol::Refusal::kNoContext};
    if (!current->is_alive) return kDestroyed;
    return {};
  });
}

void Own(Runtime& runtime, const void* object, int (*destroy)(void*)) {
  const Context* context = CurrentContext();
  if (context != nullptr) runtime.owned[object] = {context, context->device, destroy};
}

int OwnMade(int status, void* const* object, int (*destroy)(void*)) {
  if (status != 0) return status;
  return WithRuntime([&](Runtime& runtime) -> Outcome {
    if (*object != nullptr) Own(runtime, *object, destroy);
    return {};
  });
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- The driver ------------------------------------------------------------------------------------

WARPLINGS_API int cuInit(unsigned flags) {
  return Drive<Needs::kNothing>("cuInit", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime& runtime) -> Outcome {
      if (flags != 0) return CudaError::kInvalidValue;
      runtime.is_initialised = true;
      return {};
    });
  });
}

WARPLINGS_API int cuDriverGetVersion(int* version) {
  return Drive<Needs::kNothing>("cuDriverGetVersion", [&] { return cudaDriverGetVersion(version); });
}

/// NVIDIA's own libraries, NVRTC among them, ask for private tables, and do without those that a driver
/// lacks.
WARPLINGS_API int cuGetExportTable(const void** table, const void*) {
  if (table != nullptr) *table = nullptr;
  return kInvalidStatus;
}

// --- Devices ---------------------------------------------------------------------------------------

WARPLINGS_API int cuDeviceGet(int* device, int ordinal) {
  return WithDevice("cuDeviceGet", ordinal, [&](Runtime&, const DeviceProfile&) -> Outcome {
    if (device == nullptr) return kNullResult;
    *device = ordinal;
    return {};
  });
}

WARPLINGS_API int cuDeviceGetCount(int* count) {
  return WithDevice("cuDeviceGetCount", 0, [&](Runtime& runtime, const DeviceProfile&) -> Outcome {
    if (count == nullptr) return kNullResult;
    *count = static_cast<int>(runtime.device().device_count());
    return {};
  });
}

WARPLINGS_API int cuDeviceGetName(char* name, int length, int device) {
  return WithDevice("cuDeviceGetName", device, [&](Runtime&, const DeviceProfile& profile) -> Outcome {
    if (name == nullptr || length <= 0) return CudaError::kInvalidValue;
    const std::size_t shown = std::min(profile.name.size(), static_cast<std::size_t>(length) - 1);
    std::memcpy(name, profile.name.data(), shown);
    name[shown] = '\0';
    return {};
  });
}

/// No card has it, and it is the same each time.
WARPLINGS_API int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  return WithDevice("cuDeviceGetUuid", device, [&](Runtime&, const DeviceProfile& profile) -> Outcome {
    if (uuid == nullptr) return kNullResult;
    const auto hash = static_cast<std::uint64_t>(std::hash<std::string>()(profile.name));
    std::memcpy(uuid, &hash, sizeof hash);
    const auto ordinal = static_cast<std::uint64_t>(device);
    std::memcpy(uuid + sizeof hash, &ordinal, sizeof ordinal);
    return {};
  });
}
WARPLINGS_API int cuDeviceGetUuid(unsigned char* uuid, int device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

WARPLINGS_API int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return WithDevice("cuDeviceTotalMem", device, [&](Runtime&, const DeviceProfile& profile) -> Outcome {
    if (bytes == nullptr) return kNullResult;
    *bytes = profile.global_memory_bytes;
    return {};
  });
}

WARPLINGS_API int cuDeviceComputeCapability(int* major, int* minor, int device) {
  return WithDevice("cuDeviceComputeCapability", device,
                    [&](Runtime&, const DeviceProfile& profile) -> Outcome {
                      if (major == nullptr || minor == nullptr) return kNullResult;
                      *major = static_cast<int>(profile.major);
                      *minor = static_cast<int>(profile.minor);
                      return {};
                    });
}

WARPLINGS_API int cuDeviceGetAttribute(int* value, int attribute, int device) {
  return Drive<Needs::kInit>("cuDeviceGetAttribute",
                             [&] { return cudaDeviceGetAttribute(value, attribute, device); });
}
WARPLINGS_API int cuDeviceGetPCIBusId(char* text, int length, int device) {
  return Drive<Needs::kInit>("cuDeviceGetPCIBusId",
                             [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}
WARPLINGS_API int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  return Drive<Needs::kInit>("cuDeviceCanAccessPeer",
                             [&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

WARPLINGS_API int cuDeviceGetP2PAttribute(int* value, int attribute, int source, int target) {
  return Drive<Needs::kInit>("cuDeviceGetP2PAttribute",
                             [&] { return cudaDeviceGetP2PAttribute(value, attribute, source, target); });
}

// --- Contexts --------------------------------------------------------------------------------------

WARPLINGS_API int cuCtxCreate_v2(void** context, unsigned flags, int device) {
  return CreateContext(context, flags, device);
}

/// Of the parameters, CUDA has shares of multiprocessors and of graphics; a virtual card has neither.
WARPLINGS_API int cuCtxCreate_v3(void** context, const void*, int parameter_count, unsigned flags,
                                 int device) {
  if (parameter_count != 0)
    return Drive<Needs::kInit>("cuCtxCreate", [] { return static_cast<int>(CudaError::kNotSupported); });
  return CreateContext(context, flags, device);
}
/// NVIDIA's samples pass parameters that ask for nothing, which an H200 takes as none.
WARPLINGS_API int cuCtxCreate_v4(void** context, const ContextParameters* parameters, unsigned flags,
                                 int device) {
  const bool has_affinities = parameters != nullptr && parameters->affinity_count > 0;
  if (has_affinities && parameters->affinities == nullptr)
    return Drive<Needs::kInit>("cuCtxCreate", [] { return kInvalidStatus; });
  const bool has_any = has_affinities || (parameters != nullptr && parameters->graphics != nullptr);
  return cuCtxCreate_v3(context, nullptr, has_any, flags, device);
}

WARPLINGS_API int cuCtxDestroy_v2(void* context) {
  return Drive<Needs::kInit>("cuCtxDestroy", [&] { return DestroyContext(context); });
}

WARPLINGS_API int cuCtxPushCurrent_v2(void* handle) {
  return Drive<Needs::kInit>("cuCtxPushCurrent", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      Context* context = nullptr;
      if (const Outcome found = FindContext(handle, context); !found.ok()) return found;
      Stack().push_back(context);
      UseTopOfStack();
      return {};
    });
  });
}

WARPLINGS_API int cuCtxPopCurrent_v2(void** handle) {
  return Drive<Needs::kInit>("cuCtxPopCurrent", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      if (Stack().empty()) return Refused{kInvalidContext, protocol::Refusal::kNoContext};
      if (handle != nullptr) *handle = Stack().back();
      Stack().pop_back();
      UseTopOfStack();
      return {};
    });
  });
}

/// Replaces the top of the stack; null removes it.
WARPLINGS_API int cuCtxSetCurrent(void* handle) {
  return Drive<Needs::kInit>("cuCtxSetCurrent", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      Context* context = nullptr;
      if (const Outcome found = FindContext(handle, context); handle != nullptr && !found.ok()) return found;
      if (!Stack().empty()) Stack().pop_back();
      if (context != nullptr) Stack().push_back(context);
      if (context == nullptr) ThisThreadsDriverUse().has_primary = false;
      UseTopOfStack();
      return {};
    });
  });
}

WARPLINGS_API int cuCtxGetCurrent(void** handle) {
  return Drive<Needs::kInit>("cuCtxGetCurrent", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      if (handle == nullptr) return kNullResult;
      *handle = CurrentContext();
      return {};
    });
  });
}

WARPLINGS_API int cuCtxGetDevice(int* device) {
  return Drive("cuCtxGetDevice", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      if (device == nullptr) return kNullResult;
      *device = CurrentDevice();
      return {};
    });
  });
}

WARPLINGS_API int cuCtxGetFlags(unsigned* flags) {
  return Drive("cuCtxGetFlags", [&] {
    return WithRuntime<AfterFault::kWorks>([&](Runtime&) -> Outcome {
      if (flags == nullptr) return kNullResult;
      *flags = CurrentContext()->flags;
      return {};
    });
  });
}

WARPLINGS_API int cuCtxSynchronize() {
  return Drive("cuCtxSynchronize", [] { return cudaDeviceSynchronize(); });
}
WARPLINGS_API int cuCtxGetLimit(std::size_t* value, int limit) {
  return Drive("cuCtxGetLimit", [&] { return cudaDeviceGetLimit(value, limit); });
}
WARPLINGS_API int cuCtxSetLimit(int limit, std::size_t value) {
  return Drive("cuCtxSetLimit", [&] { return cudaDeviceSetLimit(limit, value); });
}
WARPLINGS_API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return Drive("cuCtxGetStreamPriorityRange",
               [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
/// Results do not depend on caches.
WARPLINGS_API int cuCtxSetCacheConfig(int) {
  return Drive("cuCtxSetCacheConfig", [] { return 0; });
}

/// Access is from device to device here, whichever of their contexts are named.
WARPLINGS_API int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
  return Drive("cuCtxEnablePeerAccess", [&] {
    int device = 0;
    const int status = FindDeviceOf(peer, device);
    return status != 0 ? status : cudaDeviceEnablePeerAccess(device, flags);
  });
}
WARPLINGS_API int cuCtxDisablePeerAccess(void* peer) {
  return Drive("cuCtxDisablePeerAccess", [&] {
    int device = 0;
    const int status = FindDeviceOf(peer, device);
    return status != 0 ? status : cudaDeviceDisablePeerAccess(device);
  });
}

// --- Primary contexts ------------------------------------------------------------------------------

WARPLINGS_API int cuDevicePrimaryCtxRetain(void** handle, int device) {
  return WithDevice("cuDevicePrimaryCtxRetain", device, [&](Runtime&, const DeviceProfile&) -> Outcome {
    if (handle == nullptr) return kNullResult;
    Context* primary = PrimaryOf(static_cast<std::size_t>(device));
    ++primary->retained;
    primary->is_alive = true;
    *handle = primary;
    return {};
  });
}

WARPLINGS_API int cuDevicePrimaryCtxRelease_v2(int device) {
  return ReleasePrimary(device);
}
WARPLINGS_API int cuDevicePrimaryCtxRelease(int device) {
  return ReleasePrimary(device);
}

WARPLINGS_API int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* is_active) {
  return WithDevice("cuDevicePrimaryCtxGetState", device, [&](Runtime&, const DeviceProfile&) -> Outcome {
    if (flags == nullptr || is_active == nullptr) return kNullResult;
    const Context* primary = PrimaryOf(static_cast<std::size_t>(device));
    *flags = primary->flags;
    *is_active = primary->retained != 0 || ThisThreadsDriverUse().has_primary ? 1 : 0;
    return {};
  });
}

WARPLINGS_API int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return WithDevice("cuDevicePrimaryCtxSetFlags", device, [&](Runtime&, const DeviceProfile&) -> Outcome {
    if ((flags & ~kContextFlags) != 0) return CudaError::kInvalidValue;
    PrimaryOf(static_cast<std::size_t>(device))->flags = flags;
    return {};
  });
}
