// SPDX-License-Identifier: Apache-2.0
// mistake: each thread serves two elements, and piece / 2 is rounded down: with an odd piece nobody serves its last
//   element, and with piece = 1 the launch has 0 threads.
// want: With piece = 3 you start one thread for two elements each: who takes the third element? Round piece / 2 up.
#include "reverse.h"

// two elements for each thread: t and t + half
__device__ void two_each(const int* in, int* out, int n, int piece, int* s) {
  const int half = blockDim.x;
  const int start = blockIdx.x * piece;
  const int len = min(piece, n - start);
  const int a = threadIdx.x;
  const int b = threadIdx.x + half;

  if (a < len) s[a] = in[start + a];
  if (b < len) s[b] = in[start + b];
  __syncthreads();
  if (a < len) out[start + a] = s[len - 1 - a];
  if (b < len) out[start + b] = s[len - 1 - b];
}

__global__ void rev_static(const int* in, int* out, int n) {
  __shared__ int s[kStaticPiece];
  two_each(in, out, n, kStaticPiece, s);
}

__global__ void rev_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int sdyn[];
  two_each(in, out, n, piece, sdyn);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;

  int blocks = n / piece;
  if (n % piece != 0) blocks++;
  int threads = piece / 2;

  if (use_dynamic)
    rev_dynamic<<<blocks, threads, sizeof(int) * piece>>>(in, out, n, piece);
  else
    rev_static<<<blocks, threads>>>(in, out, n);
}
