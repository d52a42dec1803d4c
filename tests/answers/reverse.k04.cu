// SPDX-License-Identifier: Apache-2.0
// mistake: two: the load has no check, so that the last block reads past the end of in where piece does not divide n. And
//   the launch of the static kernel passes the bytes of a piece too, for an array that it does not have.
// want: With n = 7 and piece = 3: what does thread 2 of the last block load? (And: where does the static kernel's array
//   come from, and what are the launch's bytes for there?)
#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int s[kStaticPiece];
  const int begin = blockIdx.x * kStaticPiece;
  const int end = begin + kStaticPiece < n ? begin + kStaticPiece : n;
  const int i = begin + threadIdx.x;

  s[threadIdx.x] = in[i];
  __syncthreads();

  // what is too much is not stored
  if (i < end) out[i] = s[end - 1 - i];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int d[];
  const int begin = blockIdx.x * piece;
  const int end = begin + piece < n ? begin + piece : n;
  const int i = begin + threadIdx.x;

  d[threadIdx.x] = in[i];
  __syncthreads();

  if (i < end) out[i] = d[end - 1 - i];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const size_t bytes = sizeof(int) * piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece, bytes>>>(in, out, n);
  }
}
