// SPDX-License-Identifier: Apache-2.0
// mistake: (1) no barrier stands between the swap in the tile and the stores: a thread of the upper half may store its
//   element before one of the lower half has swapped it. (2) threads are rounded up to whole warps, and so are the
//   bytes: for a piece of 3 the launch passes 128 bytes instead of 12.
// want: Who puts the right value into the last place of the tile, and who stores it from there? What makes the second
//   wait for the first? Then: how many bytes does one piece of 3 ints have, and how many do you pass?

#include "reverse.h"

// Load the piece, swap its ends in place, store it.
__device__ void reverse_piece(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();

  if (t < length / 2) {
    const int other = length - 1 - t;
    const int keep = tile[t];
    tile[t] = tile[other];
    tile[other] = keep;
  }

  if (t < length) {
    out[start + t] = tile[t];
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_piece(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dynamic_tile[];
  reverse_piece(dynamic_tile, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const int threads = (piece + 31) / 32 * 32;  // whole warps

  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, threads * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
