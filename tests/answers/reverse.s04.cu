// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: one kernel serves both cases and so has the array of fixed size, 1024 bytes, also where
//   use_dynamic is true; the contract wants it to have none there (any n > 0, use_dynamic true). And n = 0 is not
//   treated: the grid has 0 blocks, and the launch fails with cudaErrorInvalidConfiguration where nothing may be launched.
// want: How much shared memory does a block of your kernel occupy when use_dynamic is true? Count everything that it
//   declares.
#include "reverse.h"

// One kernel for both: the switch only says which array is used.
__global__ void reverse_piece(const int* in, int* out, int n, int piece, bool use_dynamic) {
  __shared__ int fixed[kStaticPiece];
  extern __shared__ int flexible[];
  int* tile = use_dynamic ? flexible : fixed;

  const int t = threadIdx.x;
  const int begin = blockIdx.x * piece;
  int end = begin + piece;
  if (end > n) end = n;

  if (begin + t < end) tile[t] = in[begin + t];
  __syncthreads();
  // from the end of the piece backwards
  if (begin + t < end) out[end - 1 - t] = tile[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  const int blocks = (n + piece - 1) / piece;  // none for n = 0
  const size_t bytes = use_dynamic ? piece * sizeof(int) : 0;
  reverse_piece<<<blocks, piece, bytes>>>(in, out, n, piece, use_dynamic);
}
