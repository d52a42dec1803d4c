// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

/// The driver API: the functions cu…, on top of the runtime's.
///
/// Theory of operation. Programs may mix both APIs, so both have one state. A function of the driver API
/// checks what only the driver checks (cuInit, a current context), calls the runtime's function, and returns
/// its error as a CUresult. A CUdeviceptr is the runtime's pointer; a CUstream and a CUevent are its handles.
/// A module is one of the runtime's, with an image that the program passed. A CUfunction is the key of a
/// kernel, as a host function's address is for a kernel that nvcc registered, so either API can launch
/// either. A context is a device, and a list of what was made in the context, which goes when the context is
/// destroyed.
///
/// All this is in our libcudart.so alone; libcuda.so.1 only refers to it. It is not in the archive that
/// workers are linked with, so submissions have no driver API.
namespace warplings::runtime {

/// What has to come before a call.
enum class Needs { kNothing, kInit, kContext };

/// While it exists, the calling thread is in a function of the driver API: findings have its name, and the
/// runtime's last error stays as it is.
class DriverCall {
 public:
  explicit DriverCall(const char* call) : before_(ThisThreadsDriverUse().call), last_error_(LastError()) {
    ThisThreadsDriverUse().call = call;
  }
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;
  ~DriverCall() {
    ThisThreadsDriverUse().call = before_;
    LastError() = last_error_;
  }

 private:
  const char* before_;
  CudaError last_error_;
};

constexpr int kInvalidStatus = static_cast<int>(CudaError::kInvalidValue);

/// The CUresult for a status of the runtime. Most numbers are the same.
int ToDriverResult(int status);
/// 0, or the error for what is missing, which becomes a finding.
int CheckNeeds(Needs needs);

/// Runs `body()`, which returns a status of the runtime, as the function `call` of the driver API.
template <Needs needs = Needs::kContext, class Body>
int Drive(const char* call, Body&& body) noexcept {
  try {
    const DriverCall running(call);
    if (const int missing = CheckNeeds(needs); missing != 0) return missing;
    return ToDriverResult(body());
  } catch (...) {
    return static_cast<int>(CudaError::kMemoryAllocation);
  }
}

/// As Forward, for the function that is running.
template <AfterFault after_fault = AfterFault::kFails, class Body>
int WithRuntime(Body&& body) {
  return Forward<after_fault>(ThisThreadsDriverUse().call, body);
}

/// Makes the current context the owner of what a call has made; the mutex is held.
void Own(Runtime& runtime, const void* object, int (*destroy)(void*));
/// The same after a call of the runtime, whose status it returns.
int OwnMade(int status, void* const* object, int (*destroy)(void*));

/// What a module was loaded from.
struct ModuleImage {
  std::vector<std::byte> containers;  ///< What a device loads (fatbin::ReadFatbins).
  bool is_text = false;               ///< PTX text, which is in a container now.
};
/// Read what cuModuleLoadData and cuModuleLoad may be given: PTX text or a fatbin. A cubin is refused.
Outcome ReadModuleImage(const void* image, ModuleImage& read);
Outcome ReadModuleFile(const char* name, ModuleImage& read);
Outcome ReadModuleBytes(std::string_view bytes, ModuleImage& read);
/// One image of several, which become one module. The others can read it.
std::vector<std::byte> LinkImages(std::span<const ModuleImage> images);

}  // namespace warplings::runtime
