// SPDX-License-Identifier: Apache-2.0
// mistake: One kernel serves both cases and has both arrays, so that the kernel has an array of fixed size (1024 bytes)
//   where use_dynamic is true, which the contract forbids. Case: any dynamic call, n 7, piece 3. Values and bytes of
//   the launch are right.
// want: How much shared memory does a block of a dynamic launch have altogether, and which part of it does it never touch?
#include "reverse.h"

__global__ void reverse_kernel(const int* in, int* out, int n, int piece, bool use_dynamic) {
  __shared__ int fixed_tile[kStaticPiece];
  extern __shared__ int dynamic_tile[];
  int* tile = use_dynamic ? dynamic_tile : fixed_tile;

  const int first = blockIdx.x * piece;
  const int end = min(first + piece, n);  // one behind the last
  const int from = first + threadIdx.x;
  const int to = end - 1 - threadIdx.x;  // the mirrored place

  if (from < end) tile[threadIdx.x] = in[from];
  __syncthreads();
  // the n-th thread reads the n-th from behind and stores it in front
  if (from < end) out[from] = tile[to - first];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const size_t bytes = use_dynamic ? piece * sizeof(int) : 0;
  reverse_kernel<<<blocks, piece, bytes>>>(in, out, n, piece, use_dynamic);
}
