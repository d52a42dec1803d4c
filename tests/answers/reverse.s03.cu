// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread loads one pair, and there are length / 2 pairs: the element in the middle of a piece of odd
//   length is never loaded, and out gets there what shared memory happened to hold. With n = 3 and piece = 3, out[1] is
//   undefined; with piece = 1 every element is. Also the last piece may be odd where piece is even. An extra block of
//   length 0, where piece divides n, does no harm.
// want: A piece of 3: which places of the tile does thread 0 fill? Who fills the others?
#include "reverse.h"

template <class Tile>
__device__ void reverse_pairs(Tile tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = n - start < piece ? n - start : piece;
  const int last = length - 1;
  const int t = threadIdx.x;

  // A thread takes one element from the front and one from the back; they change places.
  if (t < length / 2) {
    tile[last - t] = in[start + t];
    tile[t] = in[start + last - t];
  }
  __syncthreads();
  for (int i = t; i < length; i += blockDim.x) out[start + i] = tile[i];
}

__global__ void reverse_fixed(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_pairs(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_flexible(const int* in, int* out, int n, int piece) {
  extern __shared__ int s[];
  reverse_pairs(s, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = n / piece + 1;
  const int threads = (piece + 1) / 2;
  if (use_dynamic)
    reverse_flexible<<<blocks, threads, sizeof(int) * piece>>>(in, out, n, piece);
  else
    reverse_fixed<<<blocks, threads>>>(in, out, n);
}
