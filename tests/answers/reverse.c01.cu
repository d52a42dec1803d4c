// SPDX-License-Identifier: Apache-2.0
// mistake: the first half of the threads swaps pairs in shared memory; there is no barrier between the swap and the store,
//   so that the other threads may store an element before it is swapped.
// want: Thread t of the upper half stores tile[t]. Which thread puts the right element there, and what makes t wait for it?
#include "reverse.h"

// Reverses a piece in place in shared memory.
__device__ void reverse_piece(int* tile, const int* in, int* out, int length) {
  const int t = threadIdx.x;
  if (t < length) tile[t] = in[t];
  __syncthreads();

  if (t < length / 2) {
    const int tmp = tile[t];
    tile[t] = tile[length - 1 - t];
    tile[length - 1 - t] = tmp;
  }

  if (t < length) out[t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  reverse_piece(tile, in + start, out + start, min(int(kStaticPiece), n - start));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn_tile[];
  const int start = blockIdx.x * piece;
  reverse_piece(dyn_tile, in + start, out + start, min(piece, n - start));
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
