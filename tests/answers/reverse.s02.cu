// SPDX-License-Identifier: Apache-2.0
// mistake: The piece is turned round in the tile by all of its threads, so that each pair is exchanged by two threads at
//   once: a race. With piece = 64, warp 0 exchanges places 0 to 31 with 63 to 32; if warp 1 comes after it, it exchanges
//   them all back, and out is in unchanged. Within one warp it happens to come out right. Barriers and checks are right.
// want: Take a piece of 4. Which two places does thread 0 exchange, and which two does thread 3? What is left if they do
//   it one after the other?
#include "reverse.h"

__device__ void flip(int* tile, const int* in, int* out, int length) {
  const int t = threadIdx.x;
  const bool mine = t < length;

  if (mine) tile[t] = in[t];
  __syncthreads();

  // Turn it round where it lies.
  if (mine) {
    const int other = length - 1 - t;
    const int keep = tile[t];
    tile[t] = tile[other];
    tile[other] = keep;
  }
  __syncthreads();

  if (mine) out[t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  flip(tile, in + start, out + start, min(kStaticPiece, n - start));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_dyn[];
  const int start = blockIdx.x * piece;
  flip(tile_dyn, in + start, out + start, min(piece, n - start));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const int threads = (piece + 31) / 32 * 32;  // whole warps
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
