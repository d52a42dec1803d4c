// SPDX-License-Identifier: Apache-2.0
// mistake: put the load, the barrier and the store into one if (t < length): in the last, shorter piece some
//   threads of the block never come to __syncthreads().
// want: In the last piece, which threads reach the barrier, and which do not? A barrier in a branch is allowed only
//   if all threads of the block take the branch.
#include "reverse.h"

// The elements of block b's piece: `piece` of them, fewer in the last.
__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
    __syncthreads();
    out[start + t] = tile[length - t - 1];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    dyn[t] = in[start + t];
    __syncthreads();
    out[start + t] = dyn[length - t - 1];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const size_t bytes = sizeof(int) * piece;
    reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
