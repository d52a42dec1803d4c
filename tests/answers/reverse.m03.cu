// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the launch passes `piece` bytes instead of piece * sizeof(int). 2. The reversal happens at the load and
//   always from the end of a whole piece: in a shorter last piece the elements lie at the end of the tile, and the places
//   that are stored were never loaded.
// want: The third launch parameter counts bytes: how many does one int have? (Then: n = 7, piece = 3: at which place of
//   the tile does the last piece's only element lie, and which place do you store?)
#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int t = threadIdx.x;
  const int g = blockIdx.x * kStaticPiece + t;

  // put it in backwards ...
  if (g < n) tile[kStaticPiece - 1 - t] = in[g];
  __syncthreads();
  // ... take it out forwards
  if (g < n) out[g] = tile[t];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dtile[];
  const int t = threadIdx.x;
  const int g = blockIdx.x * piece + t;

  if (g < n) dtile[piece - 1 - t] = in[g];
  __syncthreads();
  if (g < n) out[g] = dtile[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
