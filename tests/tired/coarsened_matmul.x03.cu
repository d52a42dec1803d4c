// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: M's tile is loaded anew for each of the four tiles of P, so that M is loaded ceil(width / 32)
//   times and not ceil(width / 128) times (width 128: 4 times, not once). And the store asks only whether the first
//   column exists: width 33, first column 1, second tile: column 33 of row 0 is P[33], which is [1][0] (0 is written
//   there, in a race with the right value), and in the last row it is beyond the end of P.
// want: Width 33: which elements of P does the thread of row 0 and first column 1 store? (Afterwards count how often
//   M[0] is loaded at width 128.)
#include "coarsened_matmul.h"

#define W 32
#define TILES 4

// Partial product of one pair of tiles.
__device__ float multiply_tiles(const float (&a)[W][W], const float (&b)[W][W], int ty, int tx) {
  float s = 0;
  for (int k = 0; k < W; k++) s += a[ty][k] * b[k][tx];
  return s;
}

__global__ void kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float a[W][W], b[W][W];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * W + ty;
  int col0 = blockIdx.x * (W * TILES) + tx;

  float result[TILES] = {0, 0, 0, 0};

  for (int k = 0; k < width; k += W) {
#pragma unroll
    for (int t = 0; t < TILES; t++) {
      int col = col0 + t * W;
      a[ty][tx] = 0;
      b[ty][tx] = 0;
      if (row < width && k + tx < width) a[ty][tx] = M[row * width + k + tx];
      if (k + ty < width && col < width) b[ty][tx] = N[(k + ty) * width + col];
      __syncthreads();
      result[t] += multiply_tiles(a, b, ty, tx);
      __syncthreads();
    }
  }

  if (row < width && col0 < width) {
    float* out = P + row * width + col0;
    out[0 * W] = result[0];
    out[1 * W] = result[1];
    out[2 * W] = result[2];
    out[3 * W] = result[3];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  dim3 grid;
  grid.x = (width + W * TILES - 1) / (W * TILES);
  grid.y = (width + W - 1) / W;
  kernel<<<grid, dim3(W, W)>>>(M, N, P, width);
}
