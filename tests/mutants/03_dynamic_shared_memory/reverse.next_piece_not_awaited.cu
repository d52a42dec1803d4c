// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a block loads its next piece while threads may still read this one.
#include "reverse.h"

constexpr int kMostBlocks = 512;

__device__ void reverse_pieces(const int* in, int* out, int n, int piece, int* tile) {
  const int t = threadIdx.x;
  for (int start = blockIdx.x * piece; start < n; start += gridDim.x * piece) {
    const int length = min(piece, n - start);
    if (t < length) {
      tile[t] = in[start + t];
    }
    __syncthreads();
    if (t < length) {
      out[start + t] = tile[length - 1 - t];
    }
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  reverse_pieces(in, out, n, kStaticPiece, tile);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  reverse_pieces(in, out, n, piece, tile);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int pieces = (n + piece - 1) / piece;
  const int blocks = pieces < kMostBlocks ? pieces : kMostBlocks;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
