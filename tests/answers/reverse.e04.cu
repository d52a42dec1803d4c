// SPDX-License-Identifier: Apache-2.0
// mistake: blocks are rounded up to whole warps, and the load asks only whether start + t < n, not whether t is
//   in the piece. With piece = 33 threads 33..63 write the next piece's elements past the end of the shared
//   array (every block but the last, piece not a multiple of 32).
// want: Your block has more threads than the piece has elements. What do the surplus threads of block 0 do in
//   your load, and how many ints did the launch pass?

#include "reverse.h"

__device__ __forceinline__ int length_of(int start, int n, int piece) {
  return n - start < piece ? n - start : piece;
}

#define REVERSE_BODY(tile, piece)                                 \
  const int start = blockIdx.x * (piece);                         \
  const int length = length_of(start, n, (piece));                \
  const int t = threadIdx.x;                                      \
  if (start + t < n) tile[t] = in[start + t];                     \
  __syncthreads();                                                \
  if (t < length) out[start + t] = tile[length - 1 - t];

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  REVERSE_BODY(tile, kStaticPiece)
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int any_tile[];
  REVERSE_BODY(any_tile, piece)
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  // the hardware runs whole warps anyway
  const int threads = (piece + 31) / 32 * 32;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
