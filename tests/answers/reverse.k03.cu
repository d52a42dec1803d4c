// SPDX-License-Identifier: Apache-2.0
// mistake: the shared arrays are floats, as in the matrix kernels: an int of more than 24 bits does not come out of a
//   float as it went in. The bytes are the same, and small numbers come out right.
// want: What type have the elements of in, and what type have those of your tile? Does every int survive the way there
//   and back?
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ float tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  // put it in the other way round, take it out straight
  if (t < length) {
    tile[length - 1 - t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[t];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ float shared[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    shared[length - 1 - t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = shared[t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const size_t bytes = piece * sizeof(float);
    reverse_dynamic<<<blocks, piece, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
