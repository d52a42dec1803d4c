// SPDX-License-Identifier: Apache-2.0
// differs: each row of a tile is brought by a group of 16 threads with cooperative_groups::memcpy_async, the places
// that it does not fill are set to zero; with k == 0 no kernel runs, P is cleared by cudaMemsetAsync.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "rect_tiled_matmul.h"

namespace cg = cooperative_groups;

#define SIDE 16

__global__ void group_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m[SIDE][SIDE];
  __shared__ float n[SIDE][SIDE];

  const auto block = cg::this_thread_block();
  const auto group = cg::tiled_partition<SIDE>(block);
  const int ty = group.meta_group_rank(), tx = group.thread_rank();
  const int row = blockIdx.y * SIDE + ty, left = blockIdx.x * SIDE;

  float sum = 0.0f;
  for (int first = 0; first < k; first += SIDE) {
    const int from_m = row < j ? min(SIDE, k - first) : 0;
    const int from_n = first + ty < k ? min(SIDE, l - left) : 0;
    if (tx >= from_m) m[ty][tx] = 0.0f;
    if (tx >= from_n) n[ty][tx] = 0.0f;
    if (from_m > 0) cg::memcpy_async(group, m[ty], M + row * k + first, sizeof(float) * from_m);
    if (from_n > 0) cg::memcpy_async(group, n[ty], N + (first + ty) * l + left, sizeof(float) * from_n);
    cg::wait(group);
    block.sync();
    for (int i = 0; i < SIDE; ++i) sum += m[ty][i] * n[i][tx];
    block.sync();
  }
  if (row < j && left + tx < l) P[row * l + left + tx] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  if (k == 0) {
    cudaMemsetAsync(P, 0, sizeof(float) * j * l, nullptr);
    return;
  }
  group_kernel<<<dim3((l + SIDE - 1) / SIDE, (j + SIDE - 1) / SIDE), SIDE * SIDE>>>(M, N, P, j, k, l);
}
