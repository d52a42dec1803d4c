// SPDX-License-Identifier: Apache-2.0
// mistake: the piece is turned round in the tile itself: the first half of the threads swaps two elements each. There
//   is a barrier before the swaps and none after them; then thread t stores tile[t], which for the upper half another
//   thread has swapped. A race for pieces of two or more elements that shows where the piece is longer than a warp.
// want: Who puts the element there that thread 255 stores, and for whom does thread 255 wait after the loads?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// turns tile[0] ... tile[length - 1] round
__device__ void flip(int* tile, int length) {
  const int left = threadIdx.x;
  const int right = length - 1 - left;
  if (left < right) {
    const int keep = tile[left];
    tile[left] = tile[right];
    tile[right] = keep;
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  flip(tile, length);
  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) dyn[t] = in[start + t];
  __syncthreads();
  flip(dyn, length);
  if (t < length) out[start + t] = dyn[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
