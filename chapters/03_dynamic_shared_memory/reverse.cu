// SPDX-License-Identifier: Apache-2.0
//
// Chapter 3, dynamic shared memory. An array is reversed piece by piece, each by one block in shared memory:
// once with an array whose size the compiler knows, once with one whose size the launch says. Both kernels
// copy the pieces as they are; four places are marked TODO.
//
//   ./warplings check reverse

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
  // TODO 1: who else has to be ready before a thread reads an element that another one loaded?
  if (t < length) {
    // TODO 2: which element of the tile belongs here? Mind the last piece.
    out[start + t] = tile[t];
  }
}

// The same, but `piece` is known only when the kernel is launched.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  // TODO 3: without a size, and extern: the launch says how many bytes there are. Then as above.
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    out[start + t] = in[start + t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    // TODO 4: the third launch parameter.
    reverse_dynamic<<<blocks, piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
