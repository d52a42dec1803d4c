// SPDX-License-Identifier: Apache-2.0
// mistake: 1. a shorter last piece is read from the end of a whole one (tile[piece - 1 - t]), where nobody stored anything.
//   2. the launch with the array of fixed size passes the bytes of a piece as well, where none are wanted.
// want: n = 7, piece = 3: which place of the tile does the last block read, and which one did it fill? (Then: what are the
//   bytes of the launch for, where the kernel's array has a size already?)
#include "reverse.h"

template <typename GetTile>
__device__ void reverse_block(GetTile tile, const int* in, int* out, int n, int piece) {
  const int i = blockIdx.x * piece + threadIdx.x;
  if (i < n) tile()[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile()[piece - 1 - threadIdx.x];
}

__global__ void reverse_static(const int* in, int* out, int n, int piece) {
  __shared__ int fixed[kStaticPiece];
  reverse_block([&] { return fixed; }, in, out, n, piece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int sized[];
  reverse_block([&] { return sized; }, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const size_t bytes = piece * sizeof(int);
  auto* kernel = use_dynamic ? reverse_dynamic : reverse_static;
  kernel<<<blocks, piece, bytes>>>(in, out, n, piece);
}
