// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the launch rounds the dynamic bytes up to whole warps of ints: not exactly the bytes of one piece
//   (piece 33 passes 256 bytes). (2) the static kernel takes the element from the end of the whole tile
//   (kStaticPiece - 1 - t), also in the shorter last piece, where nobody loaded it.
// want: a last piece of 16 elements in a tile of 256: which places were loaded, and which does thread 0 read?
//   After that: how many bytes are the ints of one piece, exactly?
#include "reverse.h"

#define WARP 32

// One piece a block, one element a thread.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int i = blockIdx.x * kStaticPiece + threadIdx.x;

  if (i < n) {
    tile[threadIdx.x] = in[i];
  }
  __syncthreads();
  if (i < n) {
    out[i] = tile[kStaticPiece - 1 - threadIdx.x];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int t = threadIdx.x;

  if (t < length) {
    tile[length - 1 - t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    // Whole warps.
    const int ints = (piece + WARP - 1) / WARP * WARP;
    reverse_dynamic<<<blocks, piece, ints * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
