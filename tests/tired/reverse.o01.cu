// SPDX-License-Identifier: Apache-2.0
// mistake: the dynamic kernel loads and stores in the same loop: with more elements than its 128 threads, the first
//   round stores tile[length - 1 - i], which is loaded only in a later round. With piece = n = 129, thread 0 stores
//   tile[128] before it loads it. Besides, the barrier stands in a loop that the threads leave at different times
//   (piece 129: thread 0 goes round twice, the others once). Pieces of up to 128 that are whole are right, and the
//   static kernel is right.
// want: piece 256, 128 threads: when thread 0 stores its first element, which element of the tile is that, and in
//   which round is it loaded?
#include "reverse.h"

constexpr int kThreads = 128;

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = min(kStaticPiece, n - start);
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[length - 1 - t];
}

// piece goes up to 1024: 128 threads, each takes every 128th element
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);

  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    tile[i] = in[start + i];
    __syncthreads();
    out[start + i] = tile[length - 1 - i];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const int threads = piece < kThreads ? piece : kThreads;
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
