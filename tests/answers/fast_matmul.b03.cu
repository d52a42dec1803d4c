// SPDX-License-Identifier: Apache-2.0
// mistake: the tiles are kept as halves in shared memory, to halve its loads: the operands of all products are
//   rounded to 11 bits, and values above 65504 become infinite. The contract wants products of floats.
// want: which type do the operands have when they are multiplied? Compare the error of one element of P with
//   width times the rounding of a half; then look at an element of M of 100000.
#include <cuda_fp16.h>

#include "fast_matmul.h"

#define TILE 64
#define STEP 16
#define PATCH 4
#define SIDE (TILE / PATCH)  // threads

// Four neighbours in one load of 8 bytes.
struct alignas(8) Half4 {
  __half x, y, z, w;
};

__device__ float at(const float* A, int row, int col, int width) {
  return row < width && col < width ? A[row * width + col] : 0.0f;
}

__global__ void __launch_bounds__(SIDE * SIDE)
    fast_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) __half Mts[STEP][TILE + 4];
  __shared__ __align__(16) __half Nds[STEP][TILE];

  const int t = threadIdx.x;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;
  const int ty = t / SIDE * PATCH;
  const int tx = t % SIDE * PATCH;

  float sum[PATCH][PATCH] = {};

  for (int k0 = 0; k0 < width; k0 += STEP) {
#pragma unroll
    for (int e = t; e < TILE * STEP; e += SIDE * SIDE) {
      Mts[e % STEP][e / STEP] = __float2half(at(M, row0 + e / STEP, k0 + e % STEP, width));
      Nds[e / TILE][e % TILE] = __float2half(at(N, k0 + e / TILE, col0 + e % TILE, width));
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      const Half4 a = *reinterpret_cast<const Half4*>(&Mts[k][ty]);
      const Half4 b = *reinterpret_cast<const Half4*>(&Nds[k][tx]);
      const float rows[PATCH] = {__half2float(a.x), __half2float(a.y), __half2float(a.z), __half2float(a.w)};
      const float cols[PATCH] = {__half2float(b.x), __half2float(b.y), __half2float(b.z), __half2float(b.w)};
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) {
          sum[i][j] = fmaf(rows[i], cols[j], sum[i][j]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      if (row0 + ty + i < width && col0 + tx + j < width) {
        P[(row0 + ty + i) * width + col0 + tx + j] = sum[i][j];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), SIDE * SIDE>>>(M, N, P, width);
}
