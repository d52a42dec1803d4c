// SPDX-License-Identifier: Apache-2.0
// mistake: M's row is handed round by __shfl_sync with all 32 lanes in the mask, but the call stands inside the check
//   for row and col: lanes whose column does not exist do not take part, and hold elements of M that the others want.
//   Case: width 33: in blocks with bx = 1 only lane 0 (column 32) executes the shuffle; what it gets from lanes 1 to 31
//   is undefined, and so are the elements of P's column 32. Multiples of 32 are right. (M without a shared tile is fine.)
// want: Which lanes execute the shuffle in the last block of a row for width 33, and who holds the element that lane 0 asks for?
#include "tiled_matmul.h"

#define FULL 0xffffffffu

// A warp is one row of the tile: its 32 lanes hold 32 neighbours of M's row, so M needs no shared memory.
__global__ void tiled_shuffle(const float* __restrict__ M, const float* __restrict__ N, float* P, int width) {
  __shared__ float n_tile[32][32];

  const int lane = threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int col = blockIdx.x * 32 + lane;
  const bool mine = row < width && col < width;

  float sum = 0.0f;
  for (int k0 = 0; k0 < width; k0 += 32) {
    float m = 0.0f, n = 0.0f;
    if (row < width && k0 + lane < width) m = M[row * width + k0 + lane];
    if (k0 + threadIdx.y < width && col < width) n = N[(k0 + threadIdx.y) * width + col];
    n_tile[threadIdx.y][lane] = n;
    __syncthreads();

    if (mine) {
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        sum += __shfl_sync(FULL, m, k) * n_tile[k][lane];
      }
    }
    __syncthreads();
  }

  if (mine) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + 31) / 32;
  tiled_shuffle<<<dim3(blocks, blocks), dim3(32, 32)>>>(M, N, P, width);
}
