// SPDX-License-Identifier: Apache-2.0
// mistake: half of the threads swap elements in shared memory, and then all store at once: no barrier between the swap
//   and the store, so that a thread of the upper half may store its element before it was swapped.
// want: Who writes buf[length - 1], and who stores it to out? Those are different threads: what has to stand between the
//   swap and the store?
#include "reverse.h"

// Load, swap the two halves in place, store.
__device__ void reverse_piece(const int* in, int* out, int n, int piece, int* buf) {
  const int start = blockIdx.x * piece;
  int length = n - start;
  if (length > piece) length = piece;  // only the last one is shorter
  const int t = threadIdx.x;

  if (t < length) buf[t] = in[start + t];
  __syncthreads();  // all loaded

  // like on paper: first with last, second with last but one ... (a middle one stays)
  if (t < length / 2) {
    const int other = length - 1 - t;
    const int keep = buf[t];
    buf[t] = buf[other];
    buf[other] = keep;
  }

  if (t < length) out[start + t] = buf[t];
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int buf[kStaticPiece];
  reverse_piece(in, out, n, kStaticPiece, buf);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  reverse_piece(in, out, n, piece, dyn);
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
