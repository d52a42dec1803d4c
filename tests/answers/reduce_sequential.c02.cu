// SPDX-License-Identifier: Apache-2.0
// mistake: the eight warps of a block add their sums to sums[b] by atomicAdd, and thread 0 stores the 0 there without
//   any barrier before the other warps' additions: a warp that is quicker than the first has its sum wiped out, or
//   added to what sums[b] held before the call.
// want: Warp 5 is ready before warp 0 has started: what lies in sums[b] when it adds, and what does thread 0 do
//   afterwards? What makes the other warps wait?
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "reduce_sequential.h"

namespace cg = cooperative_groups;

// No shared memory at all: no banks, no conflicts.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);

  if (block.thread_rank() == 0) {
    sums[blockIdx.x] = 0.0f;
  }

  const int i = blockIdx.x * SEGMENT + block.thread_rank();
  const float x = i < n ? X[i] : 0.0f;
  const float total = cg::reduce(warp, x, cg::plus<float>());

  if (warp.thread_rank() == 0) {
    atomicAdd(&sums[blockIdx.x], total);
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
