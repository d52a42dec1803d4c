// SPDX-License-Identifier: Apache-2.0
// differs: a warp adds up a whole segment, eight elements a lane, without shared memory and barriers; cooperative groups
// reduce. Four segments a block. Windows line ends.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "reduce_sequential.h"

namespace cg = cooperative_groups;

__global__ void warp_kernel(const float* __restrict__ X, float* __restrict__ sums, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int segment = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int start = segment * SEGMENT;
  if (start >= n) return;

  float mine = 0.0f;
#pragma unroll
  for (int step = 0; step < SEGMENT; step += 32) {
    const int i = start + step + static_cast<int>(warp.thread_rank());
    mine += i < n ? X[i] : 0.0f;
  }
  const float sum = cg::reduce(warp, mine, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[segment] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  warp_kernel<<<(segments + 3) / 4, 128>>>(X, sums, n);
}
