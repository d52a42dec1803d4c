// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel for use_dynamic true has, beside the extern array, an array of fixed size in shared memory
//   (bounds, 8 bytes); the contract wants one extern array and none of a fixed size. It shows for every n > 0 with
//   use_dynamic true; the values are right, those of the shuffled path too.
// want: Say which arrays the dynamic kernel has in shared memory, and which of them the header allows. Need all
//   threads be told the piece's start and length by another one?
#include "reverse.h"

// Where the piece has whole warps only: each warp turns its own 32 elements in registers, and the tile turns
// the order of the warps.
__device__ void load_turned(int* tile, const int* in, int length) {
  const int t = threadIdx.x;
  if (length % 32 == 0) {
    if (t < length) {
      const int turned = __shfl_xor_sync(0xffffffffu, in[t], 31);
      const int warps = length / 32;
      tile[(warps - 1 - t / 32) * 32 + t % 32] = turned;
    }
  } else if (t < length) {
    tile[length - 1 - t] = in[t];
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = min(kStaticPiece, n - start);
  load_turned(tile, in + start, length);
  __syncthreads();
  if (threadIdx.x < length) out[start + threadIdx.x] = tile[threadIdx.x];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  __shared__ int bounds[2];  // start and length, worked out once a block
  if (threadIdx.x == 0) {
    bounds[0] = blockIdx.x * piece;
    bounds[1] = min(piece, n - bounds[0]);
  }
  __syncthreads();
  const int start = bounds[0];
  const int length = bounds[1];
  load_turned(tile, in + start, length);
  __syncthreads();
  if (threadIdx.x < length) out[start + threadIdx.x] = tile[threadIdx.x];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
