// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the piece is reversed in place, and each pair is swapped by the thread at either end.
#include "reverse.h"

// The elements of block b's piece: `piece` of them, fewer in the last.
__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// One piece a block, one element a thread. The size of `tile` is a constant.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    const int kept = tile[t];
    tile[t] = tile[length - 1 - t];
    tile[length - 1 - t] = kept;
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[t];
  }
}

// The same, but `piece` is known only when the kernel is launched.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];  // as many bytes as the launch passes
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    const int kept = tile[t];
    tile[t] = tile[length - 1 - t];
    tile[length - 1 - t] = kept;
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const size_t bytes = piece * sizeof(int);  // bytes, not elements
    reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
