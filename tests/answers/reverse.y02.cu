// SPDX-License-Identifier: Apache-2.0
// mistake: A block has at most 256 threads and takes several elements each, but its piece begins at blockIdx.x *
//   blockDim.x, which is the piece's length only up to 256. Case: n 600, piece 300, dynamic: block 1 begins at 256
//   instead of 300, 256 to 299 are stored by two blocks, 556 to 599 by none.
// want: For piece = 300, where in the array does the second piece begin, and where does your second block begin?
#include "reverse.h"

__device__ void load_and_store(const int* in, int* out, int n, int piece, int* tile) {
  const int start = blockIdx.x * blockDim.x;
  int length = n - start;
  if (length > piece) length = piece;

  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    tile[length - 1 - i] = in[start + i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    out[start + i] = tile[i];
  }
}

__global__ void fixed_kernel(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  load_and_store(in, out, n, kStaticPiece, tile);
}

__global__ void dynamic_kernel(const int* in, int* out, int n, int piece) {
  extern __shared__ int buffer[];
  load_and_store(in, out, n, piece, buffer);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const int blocks = 1 + (n - 1) / piece;
  const int threads = piece < 256 ? piece : 256;
  if (use_dynamic)
    dynamic_kernel<<<blocks, threads, sizeof(int) * piece>>>(in, out, n, piece);
  else
    fixed_kernel<<<blocks, threads>>>(in, out, n);
}
