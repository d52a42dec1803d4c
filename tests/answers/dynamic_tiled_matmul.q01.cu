// SPDX-License-Identifier: Apache-2.0
// mistake: the host shrinks tile to width where tile is larger, so the block has width x width threads and the launch passes
//   8 x width x width bytes, not what the caller's tile asks for. width = 5, tile = 16: blocks of 5 x 5 threads and 200
//   bytes instead of 16 x 16 and 2048. The values are right. (Tiles without filling zeros are right here: the loop over i
//   stops at `here`, and only threads with an element of P read.)
// want: Launch it with width = 5 and tile = 16 and write down the block and the bytes. Who decides how wide a tile is?
#include "dynamic_tiled_matmul.h"

__global__ void product(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  extern __shared__ float both[];
  const int t = blockDim.x;  // the tile's width is the block's
  float* const a = both;
  float* const b = both + t * t;

  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * t + y;
  const int col = blockIdx.x * t + x;
  const bool mine = row < width && col < width;

  float sum = 0.0f;
  for (int base = 0; base < width; base += t) {
    // So many columns of M (rows of N) are in this phase. What does not exist is never read below.
    const int here = width - base < t ? width - base : t;
    if (row < width && x < here) a[y * t + x] = M[row * width + base + x];
    if (col < width && y < here) b[y * t + x] = N[(base + y) * width + col];
    __syncthreads();

    if (mine) {
      for (int i = 0; i < here; ++i) sum += a[y * t + i] * b[i * t + x];
    }
    __syncthreads();
  }

  if (mine) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  // A tile larger than the matrix would only hold threads without work.
  const int t = tile < width ? tile : width;
  const int across = (width + t - 1) / t;
  const size_t bytes = 2 * sizeof(float) * t * t;
  product<<<dim3(across, across), dim3(t, t), bytes>>>(M, N, P, width);
}
