// SPDX-License-Identifier: Apache-2.0
// mistake: a block computes up to four tiles of P one after another, but sum is set to 0 only once, before the loop over
//   the tiles: each further tile begins with the sum of the one before.
// want: Your block takes on a second tile of P. What value has sum at that moment?
#include "tiled_matmul.h"

constexpr int T = 16;
constexpr int TILES_PER_BLOCK = 4;

__global__ void tiled_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P,
                                    int width, int tiles) {
  __shared__ float a[T][T];
  __shared__ float b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;

  float sum = 0.0f;
  for (int t = blockIdx.x; t < tiles * tiles; t += gridDim.x) {
    const int row = (t / tiles) * T + ty;
    const int col = (t % tiles) * T + tx;

    for (int p = 0; p < tiles; ++p) {
      const int mc = p * T + tx;
      const int nr = p * T + ty;
      a[ty][tx] = (row < width && mc < width) ? M[row * width + mc] : 0.0f;
      b[ty][tx] = (nr < width && col < width) ? N[nr * width + col] : 0.0f;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < T; ++k) sum += a[ty][k] * b[k][tx];
      __syncthreads();
    }

    if (row < width && col < width) P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  const int blocks = (tiles * tiles + TILES_PER_BLOCK - 1) / TILES_PER_BLOCK;
  tiled_matmul_kernel<<<blocks, dim3(T, T)>>>(M, N, P, width, tiles);
}
