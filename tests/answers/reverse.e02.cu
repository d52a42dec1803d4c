// SPDX-License-Identifier: Apache-2.0
// mistake: half as many threads as elements, piece / 2. With piece = 1 that is no thread at all: the launch is
//   refused, and out stays as it was.
// want: Your loops cope with every length. How many threads do you ask for with the smallest piece that the
//   header allows, and does CUDA start such a block?

#include "reverse.h"

// Any number of threads does it; each takes every blockDim.x-th element.
__device__ void mirror(const int* in, int* out, int* tile, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);

  for (int t = threadIdx.x; t < length; t += blockDim.x) tile[t] = in[start + t];
  __syncthreads();
  for (int t = threadIdx.x; t < length; t += blockDim.x) out[start + t] = tile[length - 1 - t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  mirror(in, out, tile, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_of_any_size[];
  mirror(in, out, tile_of_any_size, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const int threads = piece / 2;  // two elements each (one has three if the piece is odd)
  if (use_dynamic) {
    const size_t bytes = piece * sizeof(int);
    reverse_dynamic<<<blocks, threads, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
