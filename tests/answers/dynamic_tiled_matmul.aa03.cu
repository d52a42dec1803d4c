// SPDX-License-Identifier: Apache-2.0
// mistake: blocks and phases are counted as width / tile + 1, one too many where tile divides width, and every
//   thread loads in every phase, clamped into the matrix. width = 32, tile = 16: 3 x 3 blocks with 3 phases load 54
//   tiles, and 2 x 2 blocks with 2 phases, 16 tiles, are allowed. Values are right; other widths are right.
// want: How many blocks and how many phases do you get for width 32 and tile 16, and what do the last ones load?
#include "dynamic_tiled_matmul.h"

__device__ __forceinline__ float clamped(const float* A, int r, int c, int width) {
  // always a load that is allowed, no branch; zero if the element is not there
  const float v = A[min(r, width - 1) * width + min(c, width - 1)];
  return (r < width && c < width) ? v : 0.0f;
}

__global__ void dyn_clamped(const float* M, const float* N, float* P, int width, int tile, int count) {
  extern __shared__ float s[];
  float* const sm = s;
  float* const sn = &s[tile * tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;

  float sum = 0.0f;
  for (int p = 0; p < count; ++p) {
    sm[y * tile + x] = clamped(M, row, p * tile + x, width);
    sn[y * tile + x] = clamped(N, p * tile + y, col, width);
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = fmaf(sm[y * tile + k], sn[k * tile + x], sum);
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int count = width / tile + 1;  // + 1 for the rest
  const size_t tile_bytes = sizeof(float) * tile * tile;
  dyn_clamped<<<dim3(count, count), dim3(tile, tile), 2 * tile_bytes>>>(M, N, P, width, tile, count);
}
