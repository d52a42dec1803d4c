// SPDX-License-Identifier: Apache-2.0
// mistake: the launch passes the bytes of min(n, piece) elements; the contract wants exactly those of one piece, also
//   where n is smaller. And the kernel fills the array from its end (piece - 1 downwards), so that it then writes past
//   it: n = 3, piece = 8 passes 12 bytes, thread 0 writes tile[7]. Right for n >= piece. Filling from the end and
//   reading from piece - length on is right, in the last piece too.
// want: n = 3, piece = 8: how many ints are there in the array, and which place does thread 0 write?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  return min(piece, n - static_cast<int>(blockIdx.x) * piece);
}

// Turned round while loading: the tile is filled from its end, and what is in it is stored in order.
__device__ void reverse_piece(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;
  if (t < length) tile[piece - 1 - t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[piece - length + t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_piece(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  reverse_piece(buffer, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const int longest = n < piece ? n : piece;  // no piece has more elements
    reverse_dynamic<<<blocks, piece, longest * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
