// SPDX-License-Identifier: Apache-2.0
// mistake: The dynamic kernel keeps a second shared array, bounds[2], whose size is fixed: where use_dynamic
//   is true the kernel may have one extern array and no array of fixed size (8 bytes of static shared memory,
//   for every n and piece). The values are right; a block is one warp, for which __syncwarp is enough.
// want: How many shared arrays does the dynamic kernel have, and which of them gets its size from the launch?
//   What would each thread need to know start and length by itself?
#include "reverse.h"

#define WARP 32

// A single warp for each piece: it loops over the piece, and __syncwarp is all the waiting that it needs.
__device__ void reverse_by_warp(const int* in, int* out, int* tile, int start, int length) {
  for (int i = threadIdx.x; i < length; i += WARP) tile[length - 1 - i] = in[start + i];
  __syncwarp();
  for (int i = threadIdx.x; i < length; i += WARP) out[start + i] = tile[i];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  reverse_by_warp(in, out, tile, start, min(n - start, kStaticPiece));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  // worked out once by the first thread, read by all
  __shared__ int bounds[2];
  if (threadIdx.x == 0) {
    bounds[0] = blockIdx.x * piece;
    bounds[1] = min(n - bounds[0], piece);
  }
  __syncwarp();
  reverse_by_warp(in, out, tile, bounds[0], bounds[1]);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n - 1) / piece + 1;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, WARP, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, WARP>>>(in, out, n);
  }
}
