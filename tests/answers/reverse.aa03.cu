// SPDX-License-Identifier: Apache-2.0
// mistake: at most 64 blocks are launched, and each walks over many pieces; one block is to reverse one piece, and
//   no thread may store more than ceil(piece / 16) + 2 elements. piece = 4, n = 4000: 1000 pieces on 64 blocks,
//   up to 16 stores a thread where 3 are allowed. With 64 pieces or fewer it is as asked. Values are right.
// want: How many pieces does one block of yours reverse for piece = 4 and n = 4000, and how many does the header
//   give it?
#include "reverse.h"

#define MAX_BLOCKS 64  // enough to keep the device busy

__device__ void piece_by_piece(int* tile, const int* in, int* out, int n, int piece) {
  const int pieces = (n + piece - 1) / piece;
  for (int p = blockIdx.x; p < pieces; p += gridDim.x) {
    const int* src = in + p * piece;
    int* dst = out + p * piece;
    const int length = n - p * piece < piece ? n - p * piece : piece;

    for (int t = threadIdx.x; t < length; t += blockDim.x) tile[t] = src[t];
    __syncthreads();
    for (int t = threadIdx.x; t < length; t += blockDim.x) dst[t] = tile[length - 1 - t];
    __syncthreads();  // before the next piece comes
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  piece_by_piece(tile, in, out, n, kStaticPiece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_dyn[];
  piece_by_piece(tile_dyn, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  int blocks = (n + piece - 1) / piece;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  const int threads = piece < 256 ? piece : 256;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, threads, sizeof(int) * piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, threads>>>(in, out, n);
  }
}
