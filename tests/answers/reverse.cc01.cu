// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but where n is less than piece the dynamic launch passes n * 4 bytes; it is to pass
//   exactly the bytes of one piece. n = 3, piece = 8, use_dynamic: 12 bytes instead of 32.
// want: n = 3 and piece = 8: how many bytes does the contract ask for, and how many does your launch pass?
#include "reverse.h"

#include <algorithm>

// Turned while loading, stored straight. Works with any number of threads.
__device__ void turn(const int* in, int* out, int* buffer, int length) {
  for (int i = threadIdx.x; i < length; i += blockDim.x) buffer[length - 1 - i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) out[i] = buffer[i];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int buffer[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  turn(in + start, out + start, buffer, min(kStaticPiece, n - start));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  const int start = blockIdx.x * piece;
  turn(in + start, out + start, dyn, min(piece, n - start));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const int longest = std::min(n, piece);  // no piece has more elements than that
  const int threads = std::min(longest, 256);
  const int blocks = (n - 1) / piece + 1;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, longest * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
