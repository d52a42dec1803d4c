// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: grader_fault; pass
// Function attributes, cache configuration, access policy, launch attributes with clusters.

#include "transpose_swizzled.h"
__global__ void k(float* p) { p[0] = 1; }

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30);
  cudaFuncSetAttribute(k, (cudaFuncAttribute)999, -1);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  cudaLaunchConfig_t c = {};
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributeClusterDimension;
  a[0].val.clusterDim.x = 7;
  a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
  c.gridDim = dim3(14);
  c.blockDim = dim3(32);
  c.attrs = a;
  c.numAttrs = 1;
  cudaLaunchKernelEx(&c, k, Y);
}
