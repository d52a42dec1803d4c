// SPDX-License-Identifier: Apache-2.0
// mistake: passes `piece` as the third launch parameter: it is a number of bytes, not of elements, so that only a
//   quarter of the piece has room.
// want: In which unit does the third launch parameter count? How many bytes have `piece` ints?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  // load it backwards, then everybody stores at his own place
  if (t < length) {
    tile[length - 1 - t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[t];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    buffer[length - 1 - t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = buffer[t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
