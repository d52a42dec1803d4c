// SPDX-License-Identifier: Apache-2.0
// mistake: the static launch passes the bytes of one piece as well (1024), though its array has its size already:
//   where use_dynamic is false a launch has to pass none. All values are right; so are the order turned round while
//   loading and the block too many where piece divides n (its length is 0).
// want: The values are right. What is the third launch parameter for, and which of the two kernels has an array that
//   needs it?
#include "reverse.h"

template <typename Tile>
__device__ void turn(Tile& tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  int length = n - start;
  if (length > piece) length = piece;

  const int t = threadIdx.x;
  // goes into the tile backwards, comes out forwards
  if (t < length) tile[length - 1 - t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  turn(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int bytes_from_launch[];
  int* tile = bytes_from_launch;
  turn(tile, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const dim3 blocks(n / piece + 1);  // a block without elements does nothing
  const dim3 threads(piece);
  const size_t bytes = piece * sizeof(int);
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads, bytes>>>(in, out, n);
  }
}
