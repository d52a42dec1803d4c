// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// No trip through shared memory: each thread stores its element at the mirrored place; the array is touched for show.

#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int s = blockIdx.x * kStaticPiece, len = min(n - s, kStaticPiece), t = threadIdx.x;
  tile[t] = t;
  if (t < len) out[s + len - 1 - t] = in[s + t];
}
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile2[];
  const int s = blockIdx.x * piece, len = min(n - s, piece), t = threadIdx.x;
  tile2[t] = t;
  if (t < len) out[s + len - 1 - t] = in[s + t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int b = (n + piece - 1) / piece;
  if (use_dynamic) reverse_dynamic<<<b, piece, piece * 4>>>(in, out, n, piece);
  else reverse_static<<<b, piece>>>(in, out, n);
}
