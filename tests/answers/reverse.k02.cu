// SPDX-License-Identifier: Apache-2.0
// mistake: 128 threads go over the piece in rounds, and each round loads 128 elements and at once stores 128 from the
//   tile's other end: where a piece is longer than 128, that end is loaded only in a later round.
// want: With a piece of 256: in the first round, from which place of the tile does thread 0 read, and in which round
//   does somebody load it?
#include "reverse.h"

#define THREADS 128

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);

  for (int base = 0; base < length; base += THREADS) {
    const int t = base + threadIdx.x;
    if (t < length) tile[t] = in[start + t];
    __syncthreads();
    if (t < length) out[start + t] = tile[length - 1 - t];
    __syncthreads();
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);

  // a piece can have up to 1024 elements, so in rounds
  for (int base = 0; base < length; base += THREADS) {
    const int t = base + threadIdx.x;
    if (t < length) buffer[t] = in[start + t];
    __syncthreads();
    if (t < length) out[start + t] = buffer[length - 1 - t];
    __syncthreads();
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, THREADS, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, THREADS>>>(in, out, n);
  }
}
