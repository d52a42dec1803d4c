// SPDX-License-Identifier: Apache-2.0
// mistake: a block loads a whole piece even where the last is shorter, and reads past the end of in. n = 7, piece = 3,
//   dynamic: block 2 reads in[6], in[7] and in[8]. The values stored are right. (A block has one warp, for which
//   __syncwarp() is enough, and each thread takes every 32nd element.)
// want: n = 7, piece = 3: which elements of in does block 2 load, and which of them exist?
#include "reverse.h"

// A block is a single warp; its threads go through the piece in steps of 32.
constexpr int kWarp = 32;

__device__ void fill(int* tile, const int* from, int count) {
  for (int i = threadIdx.x; i < count; i += kWarp) tile[i] = from[i];
}

__device__ void empty(int* to, const int* tile, int count) {
  for (int i = threadIdx.x; i < count; i += kWarp) to[i] = tile[count - 1 - i];
}

__device__ void turn(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  fill(tile, in + start, piece);  // the tile has room for a piece
  __syncwarp();
  empty(out + start, tile, length);  // the last piece may be shorter
}

__global__ void turn_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  turn(tile, in, out, n, kStaticPiece);
}

__global__ void turn_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int room[];
  turn(room, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const int blocks = (n - 1) / piece + 1;
  if (use_dynamic)
    turn_dynamic<<<blocks, kWarp, piece * sizeof(int)>>>(in, out, n, piece);
  else
    turn_static<<<blocks, kWarp>>>(in, out, n);
}
