// SPDX-License-Identifier: Apache-2.0
// mistake: the dynamic kernel takes blockDim.x for the length of its piece. Where piece does not divide n, the last
//   piece is shorter: its threads read places of the tile that nobody filled, and its elements are lost. The static
//   kernel has it right.
// want: Take n = 7, piece = 3 with use_dynamic: which place of the tile does the only thread of the last piece read,
//   and who stored something there? How does your other kernel find it?

#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = n - start < kStaticPiece ? n - start : kStaticPiece;
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[length - 1 - t];
}

__global__ void reverse_dynamic(const int* in, int* out, int n) {
  extern __shared__ int buffer[];
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = blockDim.x - 1 - threadIdx.x;

  if (index < n) {
    buffer[threadIdx.x] = in[index];
  }
  __syncthreads();
  if (index < n) {
    out[index] = buffer[from];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
