// SPDX-License-Identifier: Apache-2.0
// mistake: The static kernel is launched with piece * sizeof(int) = 1024 bytes of dynamic shared memory that it does not
//   use; the contract wants none passed where use_dynamic is false. It shows with any n > 0 and use_dynamic false. The
//   values are right, and so are both kernels (blocks of 128 threads that go through the piece in steps).
// want: Who needs the third launch parameter? What does the static kernel do with the bytes that you pass to it?
#include "reverse.h"

#define THREADS 128

// Loads a piece backwards into the tile, and stores the tile as it is.
__device__ void turn(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  for (int i = threadIdx.x; i < length; i += THREADS) tile[length - 1 - i] = in[start + i];
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += THREADS) out[start + i] = tile[i];
}

__global__ void reverse_static(const int* in, int* out, int n, int piece) {
  __shared__ int tile[kStaticPiece];
  turn(tile, in, out, n, piece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int flexible[];
  turn(flexible, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const auto kernel = use_dynamic ? reverse_dynamic : reverse_static;
  const int blocks = (n + piece - 1) / piece;
  const size_t bytes = piece * sizeof(int);  // one piece
  kernel<<<blocks, THREADS, bytes>>>(in, out, n, piece);
}
