// SPDX-License-Identifier: Apache-2.0
// mistake: the bytes passed belong to the threads, rounded up to whole warps, not to the piece: piece = 3 passes 128 bytes
//   instead of 12, piece = 100 passes 512 instead of 400. Where 32 divides piece they agree; the values are always right.
//   (More threads than the piece has elements are allowed.)
// want: For piece = 3, how many bytes does the launch pass, and how many of them does the kernel ever touch?
#include "reverse.h"

// One kernel for both: only where the tile lies is different.
template <bool kFixed>
__global__ void reverse_pieces(const int* in, int* out, int n, int piece) {
  int* tile;
  if constexpr (kFixed) {
    __shared__ int fixed[kStaticPiece];
    tile = fixed;
  } else {
    extern __shared__ int flexible[];
    tile = flexible;
  }

  const int first = blockIdx.x * piece;
  const int last = min(first + piece, n) - 1;
  const int t = threadIdx.x;

  // Thread t loads from the end, and stores from the front.
  if (last - t >= first) tile[t] = in[last - t];
  __syncthreads();
  if (first + t <= last) out[first + t] = tile[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  // Whole warps: the hardware starts no less anyway.
  const int threads = (piece + 31) / 32 * 32;

  if (use_dynamic) {
    reverse_pieces<false><<<blocks, threads, threads * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_pieces<true><<<blocks, threads>>>(in, out, n, piece);
  }
}
