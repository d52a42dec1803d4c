// SPDX-License-Identifier: Apache-2.0
// mistake: Both launches pass piece * sizeof(int) bytes of dynamic shared memory, also the one of the kernel
//   with the array of fixed size: where use_dynamic is false, none may be passed (n = 256, piece = 256,
//   use_dynamic false: 1024 bytes that nobody uses). The values are right: each thread reads back only its own
//   element, which is why no barrier is needed.
// want: What is the third launch parameter for, and which of your two kernels has an array that it gives a
//   size to?
#include "reverse.h"

// The order is turned while loading: thread t fetches what will stand at place t.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int end = min(start + kStaticPiece, n);
  const int t = threadIdx.x;
  if (start + t < end) {
    tile[t] = in[end - 1 - t];
    out[start + t] = tile[t];
  }
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  const int start = blockIdx.x * piece;
  const int end = min(start + piece, n);
  const int t = threadIdx.x;
  if (start + t < end) {
    dyn[t] = in[end - 1 - t];
    out[start + t] = dyn[t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const dim3 grid((n + piece - 1) / piece);
  const dim3 block(piece);
  const size_t bytes = piece * sizeof(int);  // one piece, for each block

  if (use_dynamic) {
    reverse_dynamic<<<grid, block, bytes>>>(in, out, n, piece);
  } else {
    reverse_static<<<grid, block, bytes>>>(in, out, n);
  }
}
