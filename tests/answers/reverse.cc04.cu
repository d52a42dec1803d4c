// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the dynamic launch has at most 512 threads, and a thread takes one element: piece = 1024, n = 1024:
//   elements 512 to 1023 are neither loaded nor stored, and the first half of out gets what nobody loaded. And
//   n / piece + 1 blocks are launched with no question about n: for n = 0 one block is, and nothing should
//   be. (Where piece divides n, the block too many finds a piece of no elements, and does no harm.)
// want: a piece of 1024 elements: how many threads does the block have, and which element does each of them take?
#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int begin = blockIdx.x * kStaticPiece;
  const int end = min(begin + kStaticPiece, n);
  const int mine = begin + threadIdx.x;

  if (mine < end) tile[threadIdx.x] = in[mine];
  __syncthreads();
  if (mine < end) out[mine] = tile[end - 1 - mine];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int piece_of_in[];
  const int begin = blockIdx.x * piece;
  const int end = min(begin + piece, n);
  const int mine = begin + threadIdx.x;

  if (mine < end) piece_of_in[threadIdx.x] = in[mine];
  __syncthreads();
  if (mine < end) out[mine] = piece_of_in[end - 1 - mine];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  // the + 1 is for the rest; if there is none, that block just has nothing to do
  const int blocks = n / piece + 1;
  if (use_dynamic) {
    const int threads = piece < 512 ? piece : 512;  // keep the blocks small enough for any card
    reverse_dynamic<<<blocks, threads, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
