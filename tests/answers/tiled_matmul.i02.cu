// SPDX-License-Identifier: Apache-2.0
// mistake: 32 x 8 threads compute a 32 x 32 tile, four rows each; before the stores only the first of the four rows
//   is checked. Where 32 does not divide width, the blocks at the bottom store past the end of P.
// want: width 17: which four rows does the thread with ty = 0 store, and which of them has P? Your loads ask for each
//   row.
#include "tiled_matmul.h"

#define TILE 32
#define ROWS 8  // threads in y
#define PER_THREAD (TILE / ROWS)

__device__ float get(const float* A, int r, int c, int width) {
  if (r < width && c < width) return A[r * width + c];
  return 0.0f;
}

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float acc[PER_THREAD];
  for (int s = 0; s < PER_THREAD; s++) acc[s] = 0.0f;

  for (int start = 0; start < width; start += TILE) {
    for (int s = 0; s < PER_THREAD; s++) {
      const int y = ty + s * ROWS;
      a[y][tx] = get(M, row0 + s * ROWS, start + tx, width);
      b[y][tx] = get(N, start + y, col, width);
    }
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      const float n = b[k][tx];
      for (int s = 0; s < PER_THREAD; s++) acc[s] += a[ty + s * ROWS][k] * n;
    }
    __syncthreads();
  }

  if (row0 < width && col < width) {
    for (int s = 0; s < PER_THREAD; s++) P[(row0 + s * ROWS) * width + col] = acc[s];
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE, ROWS)>>>(M, N, P, width);
}
