// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: k is split over grid.z; the blocks of part 0 store their sums and the others add theirs with
//   atomicAdd, but nothing says that part 0 comes first: a later store wipes out what was added. Shows from
//   k = 64 on, whenever part 1 comes first. And a part has k / parts products, rounded down: k = 65 has two
//   parts of 32, and the last product is missing.
// want: block z = 1 may be done before block z = 0 has begun. What stands in P then, at the end?
#include "rect_tiled_matmul.h"

#define TILE 16

// parts along k run at the same time, so that tall, thin shapes fill the GPU, too
__global__ void split_k(const float* M, const float* N, float* P, int j, int k, int l, int part) {
  __shared__ float ms[TILE][TILE];
  __shared__ float ns[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int begin = blockIdx.z * part;
  const int end = min(begin + part, k);

  float sum = 0.0f;
  for (int at = begin; at < end; at += TILE) {
    ms[ty][tx] = (row < j && at + tx < end) ? M[(size_t)row * k + at + tx] : 0.0f;
    ns[ty][tx] = (at + ty < end && col < l) ? N[(size_t)(at + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += ms[ty][i] * ns[i][tx];
    __syncthreads();
  }

  if (row < j && col < l) {
    float* p = P + (size_t)row * l + col;
    if (blockIdx.z == 0) {
      *p = sum;  // the first part sets the element
    } else {
      atomicAdd(p, sum);  // the others add to it
    }
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int parts = k >= 256 ? 4 : k >= 64 ? 2 : 1;
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE, parts);
  split_k<<<grid, dim3(TILE, TILE)>>>(M, N, P, j, k, l, k / parts);
}
