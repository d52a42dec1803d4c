// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "grader/runtime/arrays.h"
#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/device_properties.h"
#include "grader/runtime/graph_conditions.h"
#include "grader/runtime/graph_memory.h"
#include "grader/runtime/memory_pools.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

/// Version numbers in cudaRuntimeGetVersion's format: 1000 * major + 10 * minor.
constexpr int kVersion = WARPLINGS_CUDA_MAJOR >= 13 ? 13000 : 12080;

const Refused kNullRefused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};

/// cudaLimit's values, by index, with what an H200 has at first.
constexpr std::size_t kFirstLimits[] = {1024, 8650752, 8 << 20, 2, 2048, 64, 0};
/// Of device runtimes before compute capability 9.0, and of no use without them.
constexpr int kSyncDepthLimit = 3;

/// cudaLimitDevRuntimePendingLaunchCount, the only one that a result depends on.
constexpr int kPendingLaunchLimit = 4;

/// An unknown limit is an invalid value, a known one without meaning is unsupported.
CudaError CheckLimit(int limit) {
  if (limit < 0 || limit >= static_cast<int>(std::size(kFirstLimits))) return CudaError::kInvalidValue;
  return limit == kSyncDepthLimit ? kUnsupportedLimit : CudaError::kSuccess;
}

std::size_t* Limits() {
  static std::size_t limits[std::size(kFirstLimits)];
  static const bool filled = [] {
    std::ranges::copy(kFirstLimits, limits);
    return true;
  }();
  (void)filled;
  return limits;
}

int GetProperties(const char* call, void* properties, int device, int cuda_major, std::size_t bytes) {
  return Forward<AfterFault::kWorks>(call, [&](Runtime& runtime) -> Outcome {
    if (properties == nullptr) return kNullRefused;
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    WriteDeviceProperties(runtime.device().profile_of(static_cast<std::size_t>(device)), device, cuda_major,
                          {static_cast<std::byte*>(properties), bytes});
    return {};
  });
}

/// For calls that set what no result depends on.
int AcceptSetting() {
  return static_cast<int>(CudaError::kSuccess);
}

Outcome SetPeerAccess(Runtime& runtime, int peer, bool on) {
  return runtime.device().Ask(protocol::SetPeerAccess{static_cast<std::uint32_t>(peer), on});
}

int Store(int* target, int value) {
  if (target == nullptr) return Finish(CudaError::kInvalidValue);
  *target = value;
  return 0;
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Devices ---------------------------------------------------------------------------------------

WARPLINGS_API int cudaGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return Forward<AfterFault::kWorks>("cudaGetDeviceCount", [&](Runtime& runtime) -> Outcome {
    if (count == nullptr) return kNullRefused;
    *count = static_cast<int>(runtime.device().device_count());
    return {};
  });
}

WARPLINGS_API int cudaGetDevice(int* device) {
  return Forward<AfterFault::kWorks>("cudaGetDevice", [&](Runtime&) -> Outcome {
    if (device == nullptr) return kNullRefused;
    *device = CurrentDevice();
    return {};
  });
}

WARPLINGS_API int cudaSetDevice(int device) {
  return Forward<AfterFault::kWorks>("cudaSetDevice", [&](Runtime& runtime) -> Outcome {
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    CurrentDevice() = device;
    return {};
  });
}

/// Initialises a device without making it current; ours need no initialising.
WARPLINGS_API int cudaInitDevice(int device, unsigned, unsigned) {
  return Forward<AfterFault::kWorks>("cudaInitDevice", [&](Runtime& runtime) -> Outcome {
    return runtime.HasDevice(device) ? CudaError::kSuccess : CudaError::kInvalidDevice;
  });
}
WARPLINGS_API int cudaChooseDevice(int* device, const void*) {
  return cudaGetDevice(device);
}
WARPLINGS_API int cudaSetValidDevices(int*, int) {
  return AcceptSetting();
}
WARPLINGS_API int cudaSetDeviceFlags(unsigned) {
  return AcceptSetting();
}

WARPLINGS_API int cudaGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return Finish(CudaError::kInvalidValue);
  *flags = 0;
  return 0;
}

#if WARPLINGS_CUDA_MAJOR >= 13
WARPLINGS_API int cudaGetDeviceProperties(void* properties, int device) {
  return GetProperties("cudaGetDeviceProperties", properties, device, 13, kDevicePropertiesBytes13);
}
#else
WARPLINGS_API int cudaGetDeviceProperties_v2(void* properties, int device) {
  return GetProperties("cudaGetDeviceProperties", properties, device, 12, kDevicePropertiesBytes12);
}
#endif

WARPLINGS_API int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return Forward<AfterFault::kWorks>("cudaDeviceGetAttribute", [&](Runtime& runtime) -> Outcome {
    if (value == nullptr) return kNullRefused;
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    auto found =
        DeviceAttribute(runtime.device().profile_of(static_cast<std::size_t>(device)), device, attribute);
    if (!found) return CudaError::kInvalidValue;
    *value = *found;
    return {};
  });
}

WARPLINGS_API int cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return Forward<AfterFault::kWorks>("cudaDeviceGetPCIBusId", [&](Runtime& runtime) -> Outcome {
    char bus_id[] = "0000:00:00.0";
    if (text == nullptr || length < static_cast<int>(sizeof bus_id)) return CudaError::kInvalidValue;
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    bus_id[6] = static_cast<char>('0' + device);  // cudaDeviceProp::pciBusID
    std::memcpy(text, bus_id, sizeof bus_id);
    return {};
  });
}

/// All virtual devices are joined, as if by NVLink.
WARPLINGS_API int cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return Forward<AfterFault::kWorks>("cudaDeviceCanAccessPeer", [&](Runtime& runtime) -> Outcome {
    if (can == nullptr) return CudaError::kInvalidValue;
    if (!runtime.HasDevice(device) || !runtime.HasDevice(peer)) return CudaError::kInvalidDevice;
    *can = device != peer ? 1 : 0;
    return {};
  });
}
WARPLINGS_API int cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return Forward("cudaDeviceEnablePeerAccess", [&](Runtime& runtime) -> Outcome {
    if (flags != 0) return CudaError::kInvalidValue;
    if (!runtime.HasDevice(peer)) return CudaError::kInvalidDevice;
    if (peer == CurrentDevice()) return CudaError::kPeerAccessUnsupported;  // As on an H200.
    return SetPeerAccess(runtime, peer, true);
  });
}
WARPLINGS_API int cudaDeviceDisablePeerAccess(int peer) {
  return Forward("cudaDeviceDisablePeerAccess", [&](Runtime& runtime) -> Outcome {
    if (!runtime.HasDevice(peer)) return CudaError::kInvalidDevice;
    if (peer == CurrentDevice()) return CudaError::kPeerAccessNotEnabled;
    return SetPeerAccess(runtime, peer, false);
  });
}
WARPLINGS_API int cudaDeviceGetP2PAttribute(int* value, int attribute, int source, int target) {
  constexpr int kFirst = 1, kLast = 5, kAccess = 2, kNativeAtomics = 3;  // cudaDeviceP2PAttr
  return Forward<AfterFault::kWorks>("cudaDeviceGetP2PAttribute", [&](Runtime& runtime) -> Outcome {
    if (value == nullptr || attribute < kFirst || attribute > kLast) return CudaError::kInvalidValue;
    if (!runtime.HasDevice(source) || !runtime.HasDevice(target) || source == target)
      return CudaError::kInvalidDevice;
    *value = attribute == kAccess || attribute == kNativeAtomics ? 1 : 0;
    return {};
  });
}

// --- The device as a whole -------------------------------------------------------------------------

WARPLINGS_API int cudaDeviceSynchronize() {
  return Forward(
      "cudaDeviceSynchronize",
      [](Runtime& runtime) -> Outcome {
        if (auto refused = RefuseDuringCapture(runtime, true)) return *refused;
        CudaStatus status = runtime.device().SynchronizeAll();
        ReleaseUnusedMemory();
        ReleaseGraphMemory(runtime);
        ReleaseConditions(runtime);
        runtime.DeliverPrinted();
        return status;
      },
      Waits{});
}

WARPLINGS_API int cudaDeviceReset() {
  if (IsInHostFunction()) return Finish(CudaError::kNotPermitted);
  return Local([]() -> Outcome {
    Runtime& runtime = Runtime::Get();
    std::unique_lock lock(runtime.mutex());
    DeviceClient* device = runtime.Connect();
    if (device == nullptr) return kNoDevice;
    RunAwaitedHostFunctions(runtime, lock, {});
    device->UseDevice(static_cast<std::size_t>(CurrentDevice()));
    (void)device->SynchronizeAll();
    runtime.DeliverPrinted();
    ForgetCaptures();
    ForgetArrays(device->device_in_use());
    ForgetTextures(device->device_in_use());
    if (Limits()[kPendingLaunchLimit] != kFirstLimits[kPendingLaunchLimit])
      (void)device->Ask(protocol::LimitPendingLaunches{kFirstLimits[kPendingLaunchLimit]});
    std::ranges::copy(kFirstLimits, Limits());
    return runtime.Reset();
  });
}

WARPLINGS_API int cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
WARPLINGS_API int cudaThreadExit() {
  return cudaDeviceReset();
}

WARPLINGS_API int cudaDeviceSetLimit(int limit, std::size_t value) {
  return Forward("cudaDeviceSetLimit", [&](Runtime& runtime) -> Outcome {
    if (CudaError error = CheckLimit(limit); error != CudaError::kSuccess) return error;
    Limits()[limit] = value;
    if (limit != kPendingLaunchLimit) return {};
    return runtime.device().Ask(protocol::LimitPendingLaunches{value});
  });
}

WARPLINGS_API int cudaDeviceGetLimit(std::size_t* value, int limit) {
  return Forward("cudaDeviceGetLimit", [&](Runtime&) -> Outcome {
    if (value == nullptr) return kNullRefused;
    if (CudaError error = CheckLimit(limit); error != CudaError::kSuccess) return error;
    *value = Limits()[limit];
    return {};
  });
}

// --- Preferences and tools -------------------------------------------------------------------------

WARPLINGS_API int cudaDeviceSetCacheConfig(int) {
  return AcceptSetting();
}
WARPLINGS_API int cudaDeviceGetCacheConfig(int* config) {
  return Store(config, 0);
}
WARPLINGS_API int cudaDeviceSetSharedMemConfig(int) {
  return AcceptSetting();
}
WARPLINGS_API int cudaDeviceGetSharedMemConfig(int* config) {
  return Store(config, 1);
}
WARPLINGS_API int cudaCtxResetPersistingL2Cache() {
  return AcceptSetting();
}
WARPLINGS_API int cudaProfilerStart() {
  return AcceptSetting();
}
WARPLINGS_API int cudaProfilerStop() {
  return AcceptSetting();
}

WARPLINGS_API int cudaRuntimeGetVersion(int* version) {
  return Store(version, kVersion);
}
WARPLINGS_API int cudaDriverGetVersion(int* version) {
  return Store(version, kVersion);
}
