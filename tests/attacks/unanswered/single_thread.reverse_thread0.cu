// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// Right launch, right bytes; thread 0 loads and stores all of the piece.

#include "reverse.h"

__device__ void one(const int* in, int* out, int n, int piece, int* tile) {
  if (threadIdx.x) return;
  const int s = blockIdx.x * piece, len = n - s < piece ? n - s : piece;
  for (int i = 0; i < len; ++i) tile[i] = in[s + i];
  for (int i = 0; i < len; ++i) out[s + i] = tile[len - 1 - i];
}
__global__ void reverse_static(const int* in, int* out, int n) { __shared__ int tile[kStaticPiece]; one(in, out, n, kStaticPiece, tile); }
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) { extern __shared__ int tile2[]; one(in, out, n, piece, tile2); }

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int b = (n + piece - 1) / piece;
  if (use_dynamic) reverse_dynamic<<<b, piece, piece * 4>>>(in, out, n, piece);
  else reverse_static<<<b, piece>>>(in, out, n);
}
