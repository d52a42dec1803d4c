// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: an empty array is launched with no blocks.
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
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[length - 1 - t];
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
    out[start + t] = tile[length - 1 - t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const size_t bytes = piece * sizeof(int);
    reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
