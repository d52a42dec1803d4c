// SPDX-License-Identifier: Apache-2.0
// differs: a block is one warp, whatever the piece: its lanes stride over the piece; __syncwarp is enough.

#include "reverse.h"

__device__ static void turn(const int* in, int* out, int n, int piece, int* tile) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  for (int i = threadIdx.x; i < length; i += warpSize) tile[i] = in[start + i];
  __syncwarp();
  for (int i = threadIdx.x; i < length; i += warpSize) out[start + i] = tile[length - 1 - i];
}

__global__ void static_kernel(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  turn(in, out, n, kStaticPiece, tile);
}

__global__ void dynamic_kernel(const int* in, int* out, int n, int piece) {
  extern __shared__ int dynamic_tile[];
  turn(in, out, n, piece, dynamic_tile);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  const int blocks = (n + piece - 1) / piece;
  if (blocks == 0) return;
  if (!use_dynamic) {
    static_kernel<<<blocks, 32>>>(in, out, n);
    return;
  }
  dynamic_kernel<<<blocks, 32, sizeof(int) * piece>>>(in, out, n, piece);
}
