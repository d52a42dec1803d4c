// SPDX-License-Identifier: Apache-2.0
// differs: where a piece is whole and a multiple of four, it goes into shared memory and out again as int4, whose four are
// turned in registers; a block has a quarter as many threads as a piece has elements.

#include <cstdint>

#include "reverse.h"

__device__ void turn(const int* in, int* out, int n, int piece, int* tile) {
  const int start = blockIdx.x * piece, length = min(piece, n - start);
  const bool whole = length % 4 == 0 && (start % 4 == 0) &&
                     ((reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) & 15) == 0;
  if (whole) {
    int4* fours = reinterpret_cast<int4*>(tile);
    for (int i = threadIdx.x; i < length / 4; i += blockDim.x) fours[i] = reinterpret_cast<const int4*>(in + start)[i];
    __syncthreads();
    for (int i = threadIdx.x; i < length / 4; i += blockDim.x) {
      const int4 v = fours[length / 4 - 1 - i];
      reinterpret_cast<int4*>(out + start)[i] = make_int4(v.w, v.z, v.y, v.x);
    }
    return;
  }
  for (int i = threadIdx.x; i < length; i += blockDim.x) tile[i] = in[start + i];
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) out[start + i] = tile[length - 1 - i];
}

__global__ void of_fixed_size(const int* in, int* out, int n) {
  __shared__ __align__(16) int tile[kStaticPiece];
  turn(in, out, n, kStaticPiece, tile);
}

__global__ void of_launch(const int* in, int* out, int n, int piece) {
  extern __shared__ __align__(16) int launched[];
  turn(in, out, n, piece, launched);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece, threads = (piece + 3) / 4;
  if (use_dynamic) of_launch<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  else of_fixed_size<<<blocks, threads>>>(in, out, n);
}
