// SPDX-License-Identifier: Apache-2.0
// mistake: the piece is reversed by swaps in shared memory, and with t <= length / 2 one thread too many swaps where length
//   is even: the middle pair is swapped by two threads at once, a race. Static piece of 256: threads 127 and 128 both swap
//   places 127 and 128; they are in different warps, and if one comes after the other, the pair stands as it was. Odd
//   lengths are right (the middle element swaps with itself).
// want: Take length = 4 and list for each thread the two places that it swaps. Does any place occur twice?
#include "reverse.h"

// Reverses tile[0 .. length - 1] in place: the lower half of the threads swap.
__device__ void flip(int* tile, int length) {
  const int t = threadIdx.x;
  if (t <= length / 2) {
    const int other = length - 1 - t;
    const int low = tile[t];
    const int high = tile[other];
    tile[t] = high;
    tile[other] = low;
  }
}

__device__ void reverse_piece(int* tile, const int* in, int* out, int n, int piece) {
  const int t = threadIdx.x;
  const int at = blockIdx.x * piece + t;
  const int length = min(piece, n - (int)blockIdx.x * piece);

  if (t < length) tile[t] = in[at];
  __syncthreads();
  flip(tile, length);
  __syncthreads();
  if (t < length) out[at] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_piece(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_of_any_size[];
  reverse_piece(tile_of_any_size, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
