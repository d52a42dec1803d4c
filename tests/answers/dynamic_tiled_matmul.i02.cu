// SPDX-License-Identifier: Apache-2.0
// mistake: two. The array is one of bytes, and N's tile begins tile * tile bytes behind M's instead of that many
//   floats: for even tiles the two overlap, for odd ones N's tile is misaligned. And the inner loop walks along row tx
//   of N's tile instead of down column tx, which gives M times N's transposed tile (every tile above 1).
// want: raw + 16 is how many bytes behind raw, and how many bytes has a 4 x 4 tile of floats? Then: which element of
//   N's tile belongs to product k of thread (tx, ty)?
#include "dynamic_tiled_matmul.h"

__device__ float element(const float* A, int r, int c, int width) {
  return (r < width && c < width) ? A[r * width + c] : 0.0f;
}

// product of two rows of `tile` elements
__device__ float dot(const float* a, const float* b, int tile) {
  float s = 0.0f;
  for (int k = 0; k < tile; ++k) s += a[k] * b[k];
  return s;
}

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* ma = reinterpret_cast<float*>(raw);
  float* na = reinterpret_cast<float*>(raw + tile * tile);

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  for (int p = 0; p < width; p += tile) {
    ma[ty * tile + tx] = element(M, row, p + tx, width);
    na[ty * tile + tx] = element(N, p + ty, col, width);
    __syncthreads();
    sum += dot(ma + ty * tile, na + tx * tile, tile);
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width + tile - 1) / tile;
  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<dim3(n, n), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
}
