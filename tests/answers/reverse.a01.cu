// SPDX-License-Identifier: Apache-2.0
// mistake: reads tile[piece - 1 - t] (and kStaticPiece - 1 - t) where the last piece is shorter: it should be the
//   piece's length - 1 - t. The short piece reads places that nobody has filled.
// want: In the last piece of n = 7, piece = 3 there is one element. Which place of the tile does thread 0 read, and
//   who wrote it?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();  // all loads done
  if (t < length) {
    out[start + t] = tile[kStaticPiece - 1 - t];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[piece - 1 - t];
  }
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
