// SPDX-License-Identifier: Apache-2.0
// mistake: the elements are swapped in shared memory by the first half of the threads, and stored by all of them
//   without a barrier in between. With piece = 64, thread 40 (second warp) stores tile[40], which thread 23 (first
//   warp) may not have swapped yet: out[40] may be in[40]. In both kernels; a race for every piece of two elements and
//   more, though in one warp it seldom shows. The swap itself, the middle element that stays, and the last piece are
//   right.
// want: There are three steps here: load, swap, store. Who writes tile[40] in each, and what lies between the second
//   step and the third?
#include "reverse.h"

// Turns the first `length` elements of tile round where they are.
__device__ void flip(int* tile, int length) {
  const int a = threadIdx.x;
  const int b = length - 1 - a;
  if (a < b) {
    const int keep = tile[a];
    tile[a] = tile[b];
    tile[b] = keep;
  }
}

__device__ void reverse_piece(int* tile, const int* in, int* out, int length) {
  const bool mine = threadIdx.x < length;
  if (mine) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();  // flip touches what other threads loaded
  flip(tile, length);
  if (mine) out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  reverse_piece(tile, in + start, out + start, min(n - start, kStaticPiece));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dynamic_tile[];
  const int start = blockIdx.x * piece;
  reverse_piece(dynamic_tile, in + start, out + start, min(n - start, piece));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const int blocks = (n - 1) / piece + 1;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
