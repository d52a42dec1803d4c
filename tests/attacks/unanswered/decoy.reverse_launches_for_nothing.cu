// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// "For n = 0 nothing is launched": one block is, always.

#include "reverse.h"

__device__ void turn(const int* in, int* out, int n, int piece, int* tile) {
  const int start = blockIdx.x * piece, length = min(piece, n - start), t = threadIdx.x;
  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[length - 1 - t];
}

__global__ void of_fixed_size(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  turn(in, out, n, kStaticPiece, tile);
}

__global__ void of_launch(const int* in, int* out, int n, int piece) {
  extern __shared__ int launched[];
  turn(in, out, n, piece, launched);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  const int blocks = max(1, (n + piece - 1) / piece);
  if (use_dynamic) of_launch<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  else of_fixed_size<<<blocks, piece>>>(in, out, n);
}
