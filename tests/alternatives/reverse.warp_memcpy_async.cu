// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: a block is one warp, and the warp brings the piece with cooperative_groups::memcpy_async.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "reverse.h"

namespace cg = cooperative_groups;

__device__ void carry_by_warp(const int* in, int* out, int n, int piece, int* tile) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  cg::memcpy_async(warp, tile, in + start, sizeof(int) * length);
  cg::wait(warp);
  for (int i = warp.thread_rank(); i < length; i += 32) out[start + i] = tile[length - 1 - i];
}

__global__ void warp_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  carry_by_warp(in, out, n, kStaticPiece, tile);
}

__global__ void warp_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int memory[];
  carry_by_warp(in, out, n, piece, memory);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) warp_dynamic<<<blocks, 32, piece * sizeof(int)>>>(in, out, n, piece);
  else warp_static<<<blocks, 32>>>(in, out, n);
}
