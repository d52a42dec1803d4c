// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: After the swaps within the tile there is no barrier: a thread of the second half stores its
//   element before the thread of the first half has swapped it. Case: n 256, piece 256: thread 255 (warp 7) stores
//   tile[255], which thread 0 (warp 0) swaps. And the dynamic launch passes the bytes of the whole array: n 7, piece 3
//   passes 28 instead of 12, and n 100000 passes 400000, more than a block can have, so that the launch fails.
// want: Who writes the element tile[255] that thread 255 stores, and what makes thread 255 wait for that?
//   (Then: bytes for n = 7, piece = 3?)
#include "reverse.h"

__device__ void swap_in_place(int* tile, int length) {
  const int t = threadIdx.x;
  const int partner = length - 1 - t;
  if (t < partner) {
    const int keep = tile[t];
    tile[t] = tile[partner];
    tile[partner] = keep;
  }
}

__device__ void run(const int* in, int* out, int* tile, int n, int piece) {
  in += blockIdx.x * piece;
  out += blockIdx.x * piece;
  const int rest = n - blockIdx.x * piece;
  const int length = rest < piece ? rest : piece;
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[t];
  __syncthreads();  // the whole piece is there
  swap_in_place(tile, length);
  if (t < length) out[t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  run(in, out, tile, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int shared_tile[];
  run(in, out, shared_tile, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, n * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
