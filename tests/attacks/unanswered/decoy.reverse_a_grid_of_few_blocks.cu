// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// One thread block reverses one piece, the contract says: here a block reverses several, one after another.

#include "reverse.h"

__device__ void in_turn(const int* in, int* out, int n, int piece, int* tile) {
  for (int start = blockIdx.x * piece; start < n; start += gridDim.x * piece) {
    const int length = min(piece, n - start);
    for (int i = threadIdx.x; i < length; i += blockDim.x) tile[i] = in[start + i];
    __syncthreads();
    for (int i = threadIdx.x; i < length; i += blockDim.x) out[start + i] = tile[length - 1 - i];
    __syncthreads();
  }
}

__global__ void of_fixed_size(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  in_turn(in, out, n, kStaticPiece, tile);
}

__global__ void of_launch(const int* in, int* out, int n, int piece) {
  extern __shared__ int launched[];
  in_turn(in, out, n, piece, launched);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = min(600, (n + piece - 1) / piece);
  if (use_dynamic) of_launch<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  else of_fixed_size<<<blocks, piece>>>(in, out, n);
}
