// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "grader/runtime/cuda_abi.h"

/// The runtime's functions that the driver API calls.
extern "C" {
int cudaSetDevice(int);
int cudaDeviceGetAttribute(int*, int, int);
int cudaDeviceGetPCIBusId(char*, int, int);
int cudaDeviceCanAccessPeer(int*, int, int);
int cudaDeviceDisablePeerAccess(int);
int cudaDeviceEnablePeerAccess(int, unsigned);
int cudaDeviceGetP2PAttribute(int*, int, int, int);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaDeviceGetLimit(std::size_t*, int);
int cudaDeviceSetLimit(int, std::size_t);
int cudaDeviceGetStreamPriorityRange(int*, int*);
int cudaDriverGetVersion(int*);

int cudaMalloc(void**, std::size_t);
int cudaMallocPitch(void**, std::size_t*, std::size_t, std::size_t);
int cudaFree(void*);
int cudaMallocManaged(void**, std::size_t, unsigned);
int cudaHostAlloc(void**, std::size_t, unsigned);
int cudaFreeHost(void*);
int cudaHostGetDevicePointer(void**, void*, unsigned);
int cudaHostGetFlags(unsigned*, void*);
int cudaHostRegister(void*, std::size_t, unsigned);
int cudaHostUnregister(void*);
int cudaMemGetInfo(std::size_t*, std::size_t*);
int cudaMallocAsync(void**, std::size_t, void*);
int cudaFreeAsync(void*, void*);
int cudaMemcpy(void*, const void*, std::size_t, int);
int cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);

int cudaStreamCreateWithFlags(void**, unsigned);
int cudaStreamCreateWithPriority(void**, unsigned, int);
int cudaStreamDestroy(void*);
int cudaStreamSynchronize(void*);
int cudaStreamQuery(void*);
int cudaStreamWaitEvent(void*, void*, unsigned);
int cudaStreamGetFlags(void*, unsigned*);
int cudaStreamGetPriority(void*, int*);
int cudaStreamAddCallback(void*, warplings::runtime::StreamCallback, void*, unsigned);
int cudaLaunchHostFunc(void*, warplings::runtime::HostFunction, void*);
int cudaEventCreateWithFlags(void**, unsigned);
int cudaEventDestroy(void*);
int cudaEventRecord(void*, void*);
int cudaEventRecordWithFlags(void*, void*, unsigned);
int cudaEventQuery(void*);
int cudaEventSynchronize(void*);
int cudaEventElapsedTime(float*, void*, void*);

int cudaLaunchKernelExC(const warplings::runtime::LaunchConfig*, const void*, void**);
int cudaFuncGetAttributes(warplings::runtime::FuncAttributes*, const void*);
int cudaFuncSetAttribute(const void*, int, int);
int cudaFuncSetCacheConfig(const void*, int);
int cudaFuncGetName(const char**, const void*);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, std::size_t, unsigned);
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t*, const void*, int, int);
}
