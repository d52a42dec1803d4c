// SPDX-License-Identifier: Apache-2.0
// What a course program asks the device first; the kernel is started through cudaLaunchKernel.
#include "tests/kernels/expect.h"

__global__ void write(int* out, int value) {
  out[threadIdx.x] = value + warpSize;
}

int main() {
  int count = 0, device = -1, threads = 0, warp = 0;
  CUDA(cudaGetDeviceCount(&count));
  ExpectEqual("devices", 0, count >= 1, true);
  CUDA(cudaSetDevice(0));
  CUDA(cudaGetDevice(&device));
  ExpectEqual("device", 0, device, 0);
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  CUDA(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0));
  CUDA(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  ExpectEqual("threads", 0, threads, properties.maxThreadsPerBlock);
  ExpectEqual("warp", 0, warp, properties.warpSize);
  ExpectEqual("warp", 1, warp, 32);
  ExpectEqual("name", 0, properties.name[0] != 0, true);
  std::size_t free_before = 0, free_after = 0, total = 0;
  CUDA(cudaMemGetInfo(&free_before, &total));
  int* out = OnDevice<int>(64 << 20);
  CUDA(cudaMemGetInfo(&free_after, &total));
  ExpectEqual("memory is taken", 0, free_before - free_after >= std::size_t{256} << 20, true);
  int value = 10;
  void* arguments[] = {&out, &value};
  CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(write), dim3(1), dim3(64), arguments, 0, nullptr));
  FINISH();
  ExpectEqual("out", 0, FromDevice(out, 64)[63], 42);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(count));
  cudaGetLastError();
  ExpectEqual("name", 1, std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"), 0);
  return Result();
}
