// SPDX-License-Identifier: Apache-2.0
// mistake: Each warp turns its 32 elements round by a shuffle over all 32 lanes, but with use_dynamic a block has
//   `piece` threads, and its last warp is not full: lanes that do not exist are asked, and their stores are missing.
//   Case: n 7, piece 3, dynamic: threads 0 to 2 are to store elements 31 to 29, store nothing, and the tile is never
//   written. Right for pieces that are multiples of 32, and for the static kernel with a short last piece.
// want: For piece = 3, which lanes does the only warp of a block have, and which thread would put element 0 into the tile?
#include "reverse.h"

// t ^ 31 is the thread at the other end of the warp; after the shuffle this thread holds its element.
__device__ void turn_piece(const int* in, int* out, int* tile, int start, int length) {
  const int t = threadIdx.x;
  const int mine = t < length ? in[start + t] : 0;
  const int other = __shfl_xor_sync(0xffffffff, mine, 31);
  const int source = t ^ 31;
  if (source < length) tile[length - 1 - source] = other;
  __syncthreads();
  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  turn_piece(in, out, tile, start, min(kStaticPiece, n - start));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn_tile[];
  const int start = blockIdx.x * piece;
  turn_piece(in, out, dyn_tile, start, min(piece, n - start));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
