// SPDX-License-Identifier: Apache-2.0
// mistake: the launch passes piece * sizeof(in), and `in` is a pointer of 8 bytes: twice the bytes of one piece, where
//   exactly 4 x piece are wanted. piece = 3: 24 bytes and not 12. The values are right. One block more than needed
//   where piece divides n does nothing, and threads past the end may leave before the barrier: nobody reads what
//   they would have loaded.
// want: How many bytes does your dynamic launch pass for piece = 3, and how many has a piece of three ints?
#include "reverse.h"

template <int kFixed>
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kFixed];
  const int begin = blockIdx.x * kFixed;
  const int end = min(n, begin + kFixed);
  const int i = begin + threadIdx.x;
  if (i >= end) return;

  tile[threadIdx.x] = in[i];
  __syncthreads();
  const int from = end - 1 - i;  // counted from the other end
  out[i] = tile[from];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int begin = blockIdx.x * piece;
  const int end = min(n, begin + piece);
  const int i = begin + threadIdx.x;
  if (i >= end) return;

  tile[threadIdx.x] = in[i];
  __syncthreads();
  const int from = end - 1 - i;
  out[i] = tile[from];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n < 1) return;
  const int blocks = n / piece + 1;
  if (!use_dynamic) {
    reverse_static<kStaticPiece><<<blocks, kStaticPiece>>>(in, out, n);
    return;
  }
  reverse_dynamic<<<blocks, piece, piece * sizeof(in)>>>(in, out, n, piece);
}
