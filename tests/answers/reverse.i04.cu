// SPDX-License-Identifier: Apache-2.0
// mistake: two. At most 8 blocks are launched, each reverses every eighth piece: with many pieces a thread stores more
//   than the ceil(piece / 16) + 2 elements allowed (and a block more than its one piece). And no barrier stands
//   between a piece's stores and the loads of the block's next piece: a fast warp overwrites what others still read.
//   Both need more than 8 pieces.
// want: How many blocks does the contract want for 100 pieces? And if a block does several: what may one warp do with
//   the tile while another is still storing?
#include "reverse.h"

__device__ void one_piece(int* tile, const int* in, int* out, int n, int piece, int number) {
  const int start = number * piece;
  const int left = n - start;
  const int length = left < piece ? left : piece;
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[length - 1 - t];
}

__global__ void reverse_static(const int* in, int* out, int n, int pieces) {
  __shared__ int tile[kStaticPiece];
  for (int p = blockIdx.x; p < pieces; p += gridDim.x) {
    one_piece(tile, in, out, n, kStaticPiece, p);
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece, int pieces) {
  extern __shared__ int dyn_tile[];
  for (int p = blockIdx.x; p < pieces; p += gridDim.x) {
    one_piece(dyn_tile, in, out, n, piece, p);
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int pieces = (n + piece - 1) / piece;
  const int blocks = pieces < 8 ? pieces : 8;  // starting blocks costs time
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece, pieces);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n, pieces);
  }
}
