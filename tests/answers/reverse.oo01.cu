// SPDX-License-Identifier: Apache-2.0
// mistake: the dynamic kernel fills its tile, but reads from in directly.
// want: In reverse_dynamic, no thread reads the tile.
#include "reverse.h"

// How many elements this block's piece has: `piece`, or fewer in the last one.
__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// One piece per block, one element per thread. The size of `tile` is a constant.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  // TODO 1: what has to happen before a thread may read an element that another thread loaded?
  if (t < length) {
    // TODO 2: which element of the tile belongs here? The last piece may be shorter.
    out[start + t] = tile[length - 1 - t];
  }
}

// The same, but `piece` is known only when the kernel is launched.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  // TODO 3: declare the array extern, without a size: the launch says how many bytes it has. Then as above.
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) {
    out[start + t] = in[start + length - t - 1];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    // TODO 4: the third launch parameter is missing.
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
