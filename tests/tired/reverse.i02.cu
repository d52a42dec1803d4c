// SPDX-License-Identifier: Apache-2.0
// mistake: the dynamic kernel has at most 256 threads, which take several elements each, and loads, waits and stores
//   in one and the same loop. With pieces above 256 an element is stored in the first round that is loaded only in a
//   later one; and the barrier stands in a loop that not all threads run through equally often (pieces that are no
//   multiple of the threads, short last pieces). The static kernel is right.
// want: piece = 1000: in its first round thread 0 stores which place of the tile? In which round does somebody load
//   it?
#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = min(n - start, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[length - 1 - t];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = min(n - start, piece);

  // a block stride loop, the piece can be longer than the block
  for (int t = threadIdx.x; t < length; t += blockDim.x) {
    tile[t] = in[start + t];
    __syncthreads();
    out[start + t] = tile[length - 1 - t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const int threads = piece < 256 ? piece : 256;
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
