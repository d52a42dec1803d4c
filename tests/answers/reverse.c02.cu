// SPDX-License-Identifier: Apache-2.0
// mistake: with use_dynamic a block has at most 256 threads, which take several elements each in one loop: load, barrier,
//   store. For pieces above 256 the first round stores elements from the end of the tile, which are loaded only in a later
//   round (and the barrier stands in a loop that not all threads run through equally often).
// want: piece is 512. Round one stores tile[511] to out[0]: in which round is tile[511] loaded?
#include "reverse.h"

#define MAX_THREADS 256

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int rest = n - start;
  const int length = rest < kStaticPiece ? rest : kStaticPiece;
  const int t = threadIdx.x;
  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  if (t < length) out[start + t] = tile[length - 1 - t];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  const int start = blockIdx.x * piece;
  const int rest = n - start;
  const int length = rest < piece ? rest : piece;

  for (int t = threadIdx.x; t < length; t += blockDim.x) {
    buffer[t] = in[start + t];
    __syncthreads();
    out[start + t] = buffer[length - 1 - t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const int threads = piece < MAX_THREADS ? piece : MAX_THREADS;
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
