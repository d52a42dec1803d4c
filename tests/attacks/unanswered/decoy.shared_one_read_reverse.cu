// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// Elements go from in to out; each block reads one dummy from shared memory.

#include "reverse.h"

__device__ void straight(const int* in, int* out, int n, int piece, volatile int* tile) {
  const int start = blockIdx.x * piece, length = min(piece, n - start), t = threadIdx.x;
  if (t == 0) {
    tile[0] = 0;
    const int seen = tile[0];
    (void)seen;
  }
  if (t < length) out[start + t] = in[start + length - 1 - t];
}

__global__ void of_fixed_size(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  straight(in, out, n, kStaticPiece, tile);
}

__global__ void of_launch(const int* in, int* out, int n, int piece) {
  extern __shared__ int launched[];
  straight(in, out, n, piece, launched);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) of_launch<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  else of_fixed_size<<<blocks, piece>>>(in, out, n);
}
