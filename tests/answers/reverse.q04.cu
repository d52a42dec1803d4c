// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: use_dynamic is ignored, and the kernel with the extern array, with piece * 4 bytes passed, is used
//   for both; where use_dynamic is false the array must have a fixed size and no bytes may be passed (n = 256,
//   piece = 256, false: 1024 bytes). And n = 0 launches a block, since n / piece + 1 is at least 1, where nothing may be
//   launched. (The block too many where piece divides n does nothing, and the values are right.)
// want: Two questions. What does the contract want of the launch when use_dynamic is false? And what is the number of
//   blocks for n = 0?
#include "reverse.h"

__global__ void reverse_any(const int* __restrict__ in, int* __restrict__ out, int n, int piece) {
  extern __shared__ int s[];

  const int begin = blockIdx.x * piece;
  const int rest = n - begin;
  const int length = rest < piece ? rest : piece;  // 0 in a block that is left over

  const bool active = threadIdx.x < length;
  if (active) s[threadIdx.x] = in[begin + threadIdx.x];
  __syncthreads();
  if (active) out[begin + threadIdx.x] = s[length - threadIdx.x - 1];
}

void reverse(const int* in, int* out, int n, int piece, bool /*use_dynamic*/) {
  // What works for every piece works for kStaticPiece as well.
  const size_t bytes = piece * sizeof(int);
  reverse_any<<<n / piece + 1, piece, bytes>>>(in, out, n, piece);
}
