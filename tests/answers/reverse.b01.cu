// SPDX-License-Identifier: Apache-2.0
// mistake: the piece is reversed warp by warp with __shfl_xor_sync(..., 31), which is a reversal only of full
//   warps; where a piece's length is no multiple of 32, its elements land in wrong places (and outside the tile).
// want: which lane's value does lane 3 get from an xor with 31 when the piece has 10 elements? Look at lengths
//   that are not multiples of the warp's size, the last piece included.
#include "reverse.h"

__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// The lanes of a warp change places in registers, then the warps in shared memory.
__device__ void reverse_piece(int* tile, const int* in, int* out, int length) {
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;
  const int warps = (length + 31) / 32;

  int value = t < length ? in[t] : 0;
  value = __shfl_xor_sync(0xffffffffu, value, 31);
  if (warp < warps) {
    tile[(warps - 1 - warp) * 32 + lane] = value;
  }
  __syncthreads();
  if (t < length) {
    out[t] = tile[t];
  }
}

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  reverse_piece(tile, in + start, out + start, piece_length(n, kStaticPiece));
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int dynamic_tile[];
  const int start = blockIdx.x * piece;
  reverse_piece(dynamic_tile, in + start, out + start, piece_length(n, piece));
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
