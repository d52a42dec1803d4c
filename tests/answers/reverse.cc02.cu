// SPDX-License-Identifier: Apache-2.0
// mistake: the swaps go to i <= length / 2. Where length is even, i = length / 2 is the same pair as i = length / 2 - 1,
//   and two threads swap it: a race, and swapped twice it stands as before. length = 256: threads 127 and 128,
//   of two warps, both swap elements 127 and 128. With an odd length the last swap is the middle with itself.
// want: a piece of four: write down, for each i that the loop allows, which two elements are swapped.
#include "reverse.h"

// swap from both ends towards the middle, in shared memory
template <typename T>
__device__ void flip(T* a, int length) {
  for (int i = threadIdx.x; i <= length / 2; i += blockDim.x) {
    const int k = length - 1 - i;
    if (k < 0) break;
    const T left = a[i];
    const T right = a[k];
    a[i] = right;
    a[k] = left;
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = min(kStaticPiece, n - start);
  const int t = threadIdx.x;

  if (t < length) tile[t] = in[start + t];
  __syncthreads();
  flip(tile, length);
  __syncthreads();
  if (t < length) out[start + t] = tile[t];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_dyn[];
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int t = threadIdx.x;

  if (t < length) tile_dyn[t] = in[start + t];
  __syncthreads();
  flip(tile_dyn, length);
  __syncthreads();
  if (t < length) out[start + t] = tile_dyn[t];
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
