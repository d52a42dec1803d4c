// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: instead of __syncthreads a cuda::barrier in shared memory in one place and a named barrier in
// PTX (bar.sync 1, 256) in the other.

#include <cuda/barrier>

#include "tiled_matmul.h"

#define T 16

__global__ void barriers(const float* M, const float* N, float* P, int width) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier filled;
  __shared__ float m[T][T], n[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  if (tx == 0 && ty == 0) init(&filled, T * T);
  __syncthreads();

  float sum = 0.0f;
  for (int first = 0; first < width; first += T) {
    m[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    n[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    filled.arrive_and_wait();
    for (int k = 0; k < T; ++k) sum += m[ty][k] * n[k][tx];
    asm volatile("bar.sync 1, 256;" ::: "memory");
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  barriers<<<dim3(tiles, tiles), dim3(T, T)>>>(M, N, P, width);
}
