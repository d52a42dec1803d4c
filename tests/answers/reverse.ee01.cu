// SPDX-License-Identifier: Apache-2.0
// mistake: the pieces are turned in the tile by swapping pairs, and one thread too many swaps (t <= length / 2
//   where t < length / 2 is needed). With an even length the pair in the middle is swapped by two threads, in
//   a race: with length 256, threads 127 and 128 (of two warps) both swap places 127 and 128, and one after
//   the other they undo each other. Odd lengths are right: there the middle one swaps with itself.
// want: length 4: which pairs have to be swapped, how many are they, and which threads of yours swap?
#include "reverse.h"

// Turns tile[0 .. length-1] round, where it lies.
__device__ void flip(int* tile, int length) {
  const int t = threadIdx.x;
  __syncthreads();
  if (t <= length / 2) {
    const int a = tile[t];
    const int b = tile[length - 1 - t];
    tile[t] = b;
    tile[length - 1 - t] = a;
  }
  __syncthreads();
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int i = blockIdx.x * kStaticPiece + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  flip(tile, min(kStaticPiece, n - int(blockIdx.x) * kStaticPiece));
  if (i < n) out[i] = tile[threadIdx.x];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  const int i = blockIdx.x * piece + threadIdx.x;
  if (i < n) dyn[threadIdx.x] = in[i];
  flip(dyn, min(piece, n - int(blockIdx.x) * piece));
  if (i < n) out[i] = dyn[threadIdx.x];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
