// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <string>

#include "grader/base/result.h"
#include "grader/device/device.h"

namespace warplings::cuda_gpu {

/// The driver functions that we call, one X(name) each; cuda.h declares them and maps each name to a version.
#define WARPLINGS_DRIVER_FUNCTIONS(X) \
  X(cuInit)                           \
  X(cuDriverGetVersion)               \
  X(cuDeviceGetCount)                 \
  X(cuDeviceGet)                      \
  X(cuDeviceGetName)                  \
  X(cuDeviceGetAttribute)             \
  X(cuDeviceTotalMem)                 \
  X(cuDeviceGetPCIBusId)              \
  X(cuDevicePrimaryCtxRetain)         \
  X(cuCtxSetCurrent)                  \
  X(cuCtxSynchronize)                 \
  X(cuCtxSetLimit)                    \
  X(cuCtxResetPersistingL2Cache)      \
  X(cuGetErrorName)                   \
  X(cuGetErrorString)                 \
  X(cuModuleLoadDataEx)               \
  X(cuModuleUnload)                   \
  X(cuModuleGetFunction)              \
  X(cuModuleGetGlobal)                \
  X(cuFuncGetAttribute)               \
  X(cuFuncSetAttribute)               \
  X(cuFuncGetParamInfo)               \
  X(cuMemGetInfo)                     \
  X(cuMemAlloc)                       \
  X(cuMemFree)                        \
  X(cuMemHostRegister)                \
  X(cuMemHostUnregister)              \
  X(cuMemcpyHtoD)                     \
  X(cuMemcpyDtoH)                     \
  X(cuMemcpy)                         \
  X(cuMemsetD8)                       \
  X(cuLaunchKernel)                   \
  X(cuLaunchCooperativeKernel)        \
  X(cuEventCreate)                    \
  X(cuEventRecord)                    \
  X(cuEventSynchronize)               \
  X(cuEventElapsedTime)               \
  X(cuEventDestroy)

/// libcuda.so.1, loaded at run time, so that neither a build nor a machine without a GPU needs the driver.
struct DriverApi {
#define WARPLINGS_MEMBER(name) decltype(&::name) name = nullptr;
  WARPLINGS_DRIVER_FUNCTIONS(WARPLINGS_MEMBER)
#undef WARPLINGS_MEMBER
};

/// Loads and initialises the driver once. The error says in one line what is wrong: no driver, no card, or a
/// driver that is older than the CUDA version that submissions are compiled with.
Result<const DriverApi*> LoadDriver();

/// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
std::string Describe(const DriverApi& driver, CUresult code);

/// The runtime's error code for a driver's error; most are equal, a few differ (driver_types.h).
CudaError RuntimeError(CUresult code);

}  // namespace warplings::cuda_gpu
