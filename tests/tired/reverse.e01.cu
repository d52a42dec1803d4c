// SPDX-License-Identifier: Apache-2.0
// mistake: the piece is reversed in place in shared memory by half of the threads, and stored without a barrier
//   after that. The threads of the other half may store elements that have not been swapped yet (pieces of
//   more than one warp).
// want: Who writes tile[length - 1], and who copies it to out? What makes the second one wait for the first?

#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// Turns over the first `length` elements. Each thread of the first half swaps two.
__device__ void flip(int* tile, int length) {
  const int t = threadIdx.x;
  if (t < length / 2) {
    const int other = length - 1 - t;
    const int keep = tile[t];
    tile[t] = tile[other];
    tile[other] = keep;
  }
}

__device__ void reverse_piece(const int* in, int* out, int* tile, int start, int length) {
  const int t = threadIdx.x;
  if (t < length) tile[t] = in[start + t];
  __syncthreads();  // all loaded
  flip(tile, length);
  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_piece(in, out, tile, blockIdx.x * kStaticPiece, piece_length(n, kStaticPiece));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dynamic_tile[];
  reverse_piece(in, out, dynamic_tile, blockIdx.x * piece, piece_length(n, piece));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
