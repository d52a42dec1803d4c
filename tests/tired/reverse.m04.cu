// SPDX-License-Identifier: Apache-2.0
// mistake: ignores use_dynamic and always launches the kernel with the extern array and its bytes; where use_dynamic is
//   false the contract wants an array of fixed size, and no bytes passed. The values are right.
// want: What does the contract say about the launch for use_dynamic == false? There the array has kStaticPiece elements,
//   known to the compiler, and nothing is passed.
#include "reverse.h"

// Works for every piece, the 256 as well, so one kernel is enough.
__global__ void reverse_any(const int* in, int* out, int n, int piece) {
  extern __shared__ int stack[];

  // move to our piece
  const int skipped = blockIdx.x * piece;
  in += skipped;
  out += skipped;
  n -= skipped;
  const int size = n < piece ? n : piece;

  const int me = threadIdx.x;
  if (me < size) stack[size - 1 - me] = in[me];
  __syncthreads();
  if (me < size) out[me] = stack[me];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  (void)use_dynamic;  // not needed
  if (n == 0) return;
  const int blocks = (n - 1) / piece + 1;
  const size_t bytes = static_cast<size_t>(piece) * sizeof(int);
  reverse_any<<<blocks, piece, bytes>>>(in, out, n, piece);
}
