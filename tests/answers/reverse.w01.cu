// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread swaps a pair from the two ends, but only threads below length / 2 do: the middle
//   element of a piece of odd length is never stored. n = 7, piece = 3: out[1], out[4] and out[6] stay as they
//   were (256 elements and n = 257: out[256]). There is no barrier, and none is needed: each thread reads only
//   what it wrote itself.
// want: Which thread takes care of the middle of a piece with 3 elements? And of a last piece that has only
//   one?
#include "reverse.h"

// Pairs from the outside to the inside: half as many threads, and each one turns two elements around.
__device__ void turn(const int* in, int* out, int n, int piece, int* tile) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int front = threadIdx.x;
  const int back = length - 1 - front;

  if (front < length / 2) {
    tile[front] = in[start + front];
    tile[back] = in[start + back];
    // both are this thread's own, nobody else has to wait
    out[start + front] = tile[back];
    out[start + back] = tile[front];
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  turn(in, out, n, kStaticPiece, tile);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int shared_piece[];
  turn(in, out, n, piece, shared_piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const int threads = (piece + 1) / 2;
  if (use_dynamic)
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  else
    reverse_static<<<blocks, threads>>>(in, out, n);
}
