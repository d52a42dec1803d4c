// SPDX-License-Identifier: Apache-2.0
// mistake: where use_dynamic is true, the launch passes the bytes of a piece rounded up to whole warps: piece = 3
//   passes 128 bytes instead of 12, and exactly the bytes of one piece are asked for. Right only where 32 divides
//   piece. Values are right; that there are more threads than elements does no harm.
// want: How many bytes has a piece of 3 elements, and how many does your launch pass for it?
#include "reverse.h"

static __device__ void flip(int* buf, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int len = min(piece, n - start);
  const int t = threadIdx.x;
  if (t < len) buf[len - 1 - t] = in[start + t];
  __syncthreads();
  if (t < len) out[start + t] = buf[t];
}

__global__ void flip_static(const int* in, int* out, int n) {
  __shared__ int buf[kStaticPiece];
  flip(buf, in, out, n, kStaticPiece);
}

__global__ void flip_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dyn[];
  flip(dyn, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const int threads = (piece + 31) / 32 * 32;  // whole warps
  if (use_dynamic) {
    flip_dynamic<<<blocks, threads, threads * sizeof(int)>>>(in, out, n, piece);
  } else {
    flip_static<<<blocks, threads>>>(in, out, n);
  }
}
