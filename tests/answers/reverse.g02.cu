// SPDX-License-Identifier: Apache-2.0
// mistake: the dynamic kernel loads and stores in the same loop, with the barrier in it. With more than 256 elements
//   the mirrored place is filled only in a later round, so the first rounds store what was never loaded; besides,
//   threads past the end of a short piece miss the barrier.
// want: A piece of 1024 and 256 threads: in its first round thread 0 stores the tile's last element. In which round
//   is that one loaded? How much has to be in the tile before anyone stores?

#include "reverse.h"

#define MAX_THREADS 256

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  __syncthreads();
  if (t < length) {
    out[start + t] = tile[length - 1 - t];
  }
}

// A block has at most 256 threads, each takes every 256th element.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int pieces[];
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);

  for (int t = threadIdx.x; t < length; t += blockDim.x) {
    pieces[t] = in[start + t];
    __syncthreads();
    out[start + t] = pieces[length - 1 - t];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    const int threads = piece < MAX_THREADS ? piece : MAX_THREADS;
    reverse_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}
