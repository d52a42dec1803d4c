// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: M's tile has rows of tile + 1 places, so that the launch passes 4 x tile more bytes than the
//   8 x tile x tile that the contract allows (tile = 16: 2112 instead of 2048). And the loop takes two products at a time
//   and leaves the last one out where tile is odd: with tile = 1 every element of P is 0, with tile = 3 and width = 3 the
//   product with k = 2 is missing.
// want: Two questions. How many bytes does the contract name for tile = 16, and how many does this launch pass? And which
//   values has k when tile is 3?
#include "dynamic_tiled_matmul.h"

namespace {

__device__ __forceinline__ float element(const float* A, int r, int c, int width) {
  return (r < width && c < width) ? A[r * width + c] : 0.0f;
}

__global__ void mm(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float s[];
  const int pitch = tile + 1;  // one more, against bank conflicts
  float* Ms = s;
  float* Ns = s + tile * pitch;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.x * tile + ty;  // x counts tile rows here: the grid is square, any order does
  const int col = blockIdx.y * tile + tx;

  float even = 0.0f, odd = 0.0f;
  for (int first = 0; first < width; first += tile) {
    Ms[ty * pitch + tx] = element(M, row, first + tx, width);
    Ns[ty * tile + tx] = element(N, first + ty, col, width);
    __syncthreads();

    // Two sums that do not wait for each other.
    for (int k = 0; k + 1 < tile; k += 2) {
      even += Ms[ty * pitch + k] * Ns[k * tile + tx];
      odd += Ms[ty * pitch + k + 1] * Ns[(k + 1) * tile + tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = even + odd;
}

}  // namespace

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width + tile - 1) / tile;
  const int floats = tile * (tile + 1) + tile * tile;
  mm<<<dim3(n, n), dim3(tile, tile), floats * sizeof(float)>>>(M, N, P, width, tile);
}
