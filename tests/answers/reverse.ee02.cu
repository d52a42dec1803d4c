// SPDX-License-Identifier: Apache-2.0
// mistake: the launch passes an int for each thread, and the threads are rounded up to whole warps: with
//   piece 100 it passes 128 * 4 = 512 bytes instead of 400. Right only where 32 divides piece. The values are
//   right.
// want: piece 100: how many bytes does one piece have, and how many does the launch pass?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// Turned round on the way in; on the way out straight ahead.
__device__ void turn(const int* in, int* out, int* tile, int length) {
  const int t = threadIdx.x;
  if (t < length) tile[length - 1 - t] = in[t];
  __syncthreads();
  if (t < length) out[t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  turn(in + start, out + start, tile, piece_length(n, kStaticPiece));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  turn(in + start, out + start, tile, piece_length(n, piece));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  // whole warps: a block has them anyway
  const int threads = (piece + 31) / 32 * 32;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, threads * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
