// SPDX-License-Identifier: Apache-2.0
// mistake: (1) one kernel for both ways has both arrays: also a dynamic launch occupies the 1024 bytes of the
//   fixed one, which the contract forbids. (2) the bytes are passed always, also for the static way, which
//   must get none. The values are right.
// want: out is right; look at what a block occupies. How much shared memory does a block have in each of the
//   two ways, and which part of it does it never touch?

#include "reverse.h"

// The same code for both: only the place of the tile differs.
__global__ void reverse_kernel(const int* in, int* out, int n, int piece, bool use_dynamic) {
  __shared__ int fixed[kStaticPiece];
  extern __shared__ int from_launch[];
  int* const tile = use_dynamic ? from_launch : fixed;

  const int start = blockIdx.x * piece;
  const int rest = n - start;
  const int length = rest < piece ? rest : piece;
  const int t = threadIdx.x;

  if (t < length) tile[length - 1 - t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  reverse_kernel<<<blocks, piece, sizeof(int) * piece>>>(in, out, n, piece, use_dynamic);
}
