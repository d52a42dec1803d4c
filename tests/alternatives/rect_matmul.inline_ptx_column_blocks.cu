// SPDX-License-Identifier: Apache-2.0
// differs: x counts rows and y columns (grid and block transposed), multiply-add and loads in inline PTX, the launch
// through cudaLaunchKernelEx; no newline at the end.

#include "rect_matmul.h"

static __device__ float load(const float* p) {
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(__cvta_generic_to_global(p)));
  return v;
}

__global__ void turned(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < j) {
    if (col < l) {
      float sum = 0.0f;
      for (int i = 0; i < k; ++i) {
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(load(&M[row * k + i])), "f"(load(&N[i * l + col])));
      }
      P[row * l + col] = sum;
    }
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0) return;
  if (l == 0) return;
  cudaLaunchConfig_t config = {};
  config.blockDim = dim3(8, 24);
  config.gridDim = dim3((j + 7) / 8, (l + 23) / 24);
  config.dynamicSmemBytes = 0;
  config.stream = nullptr;
  cudaLaunchKernelEx(&config, turned, M, N, P, j, k, l);
}