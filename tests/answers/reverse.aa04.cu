// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: after the swaps in shared memory there is no barrier: thread 255 may store tile[255] before
//   thread 0, in another warp, has put the right value there (piece = 256). And both kernels are launched by
//   the same line, so that the bytes of a piece are passed where use_dynamic is false too, where none may be.
// want: Two questions: who writes the element that thread 255 stores, and how does it know that this is done?
//   And what does the header say about the launch where use_dynamic is false?
#include "reverse.h"

__device__ void swap_ends(int* tile, int length) {
  const int t = threadIdx.x;
  if (t < length / 2) {
    const int other = length - 1 - t;
    const int keep = tile[t];
    tile[t] = tile[other];
    tile[other] = keep;
  }
}

__global__ void reverse_fixed(const int* in, int* out, int n, int) {
  __shared__ int tile[kStaticPiece];
  const int at = blockIdx.x * kStaticPiece + threadIdx.x;
  const int length = min(kStaticPiece, n - (int)blockIdx.x * kStaticPiece);

  if (at < n) tile[threadIdx.x] = in[at];
  __syncthreads();
  swap_ends(tile, length);
  if (at < n) out[at] = tile[threadIdx.x];
}

__global__ void reverse_any(const int* in, int* out, int n, int piece) {
  extern __shared__ int piece_buf[];
  const int at = blockIdx.x * piece + threadIdx.x;
  const int length = min(piece, n - (int)blockIdx.x * piece);

  if (at < n) piece_buf[threadIdx.x] = in[at];
  __syncthreads();
  swap_ends(piece_buf, length);
  if (at < n) out[at] = piece_buf[threadIdx.x];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  auto* kernel = use_dynamic ? reverse_any : reverse_fixed;
  kernel<<<(n + piece - 1) / piece, piece, piece * sizeof(int)>>>(in, out, n, piece);
}
