// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the static kernel loads pairs (int2), and where the last piece has an odd length the last
//   pair's second element lies behind in: n = 1 loads in[1]. It is never stored, but it is out of range. And the
//   dynamic launch rounds its bytes up to a multiple of 16: piece = 3 passes 16 instead of 12 (right where 4 divides
//   piece). The order, the barriers and the stores of both kernels are right.
// want: With n = 257, which elements does the second block of the static kernel load? And with piece = 3, how many
//   bytes has a piece, and how many does the launch pass?
#include "reverse.h"

#define HALF (kStaticPiece / 2)

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = n - start < kStaticPiece ? n - start : kStaticPiece;
  const int t = threadIdx.x;

  // two at a time; start is even, so they lie right for an int2
  const int2* pairs = reinterpret_cast<const int2*>(in + start);
  if (2 * t < length) {
    const int2 pair = pairs[t];
    tile[2 * t] = pair.x;
    tile[2 * t + 1] = pair.y;
  }
  __syncthreads();
  for (int i = t; i < length; i += HALF) out[start + i] = tile[length - 1 - i];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  const int start = blockIdx.x * piece;
  const int length = n - start < piece ? n - start : piece;
  const int t = threadIdx.x;
  if (t < length) buffer[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + length - 1 - t] = buffer[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (!use_dynamic) {
    reverse_static<<<blocks, HALF>>>(in, out, n);
    return;
  }
  // shared memory comes in units of 16 bytes
  const size_t bytes = (piece * sizeof(int) + 15) / 16 * 16;
  reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
}
