// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but a block has eight threads: each stores piece / 8 elements, and ceil(piece / 16) + 2
//   are allowed. piece = 256: 32 instead of at most 18; right only for pieces of up to 40 elements.
// want: piece = 256: how many elements does one of your threads store, and how many may it?
#include "reverse.h"

#define LANES 8  // 8 ints are a sector of 32 bytes

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int* from = in + blockIdx.x * kStaticPiece;
  int* to = out + blockIdx.x * kStaticPiece;
  const int rest = n - blockIdx.x * kStaticPiece;
  const int length = rest < kStaticPiece ? rest : kStaticPiece;

  for (int i = threadIdx.x; i < length; i += LANES) tile[i] = from[i];
  __syncthreads();
  for (int i = threadIdx.x, k = length - 1 - i; k >= 0; i += LANES, k -= LANES) to[i] = tile[k];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tail[];
  const int* from = in + blockIdx.x * piece;
  int* to = out + blockIdx.x * piece;
  const int rest = n - blockIdx.x * piece;
  const int length = rest < piece ? rest : piece;

  for (int i = threadIdx.x; i < length; i += LANES) tail[i] = from[i];
  __syncthreads();
  for (int i = threadIdx.x, k = length - 1 - i; k >= 0; i += LANES, k -= LANES) to[i] = tail[k];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, LANES, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, LANES>>>(in, out, n);
  }
}
