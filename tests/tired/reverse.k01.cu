// SPDX-License-Identifier: Apache-2.0
// mistake: the piece is turned round in place in shared memory by the first half of the threads, and stored at once: no
//   barrier between the swaps and the stores. A thread of the upper half stores what another one swaps.
// want: Who writes tile[length - 1], and who stores it? What do you know about the order of the two?
#include "reverse.h"

// Load, swap in place, store. The same for both kernels, only the array comes from elsewhere.
__device__ void turn(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();

  // first with last, second with the last but one, ... the one in the middle stays
  if (t < length / 2) {
    const int other = length - 1 - t;
    const int tmp = tile[t];
    tile[t] = tile[other];
    tile[other] = tmp;
  }

  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int fixed[kStaticPiece];
  turn(fixed, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  turn(dyn, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
