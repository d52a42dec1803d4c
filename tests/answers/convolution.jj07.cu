// SPDX-License-Identifier: Apache-2.0
// mistake: The halo is loaded in four strips, above, below, left and right; the four corners of 2 x 2 elements
//   are loaded by nobody. Sums in the corners of a tile read what happens to be in shared memory. Shows for every
//   size, also 1 x 1, unless the outer coefficients in the corners of the filter are 0.
// want: Draw the tile with its halo, 20 x 20, and mark what each of the five loads writes. Which elements does
//   output(0, 0) of the tile need?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 16

__constant__ float F[FW * FW];

__device__ float at(const float* input, int r, int c, int rows, int columns) {
  return (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0.0f;
}

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE + 2 * kRadius][TILE + 2 * kRadius];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int r = blockIdx.y * TILE + ty;
  const int c = blockIdx.x * TILE + tx;
  const int sy = ty + kRadius;
  const int sx = tx + kRadius;

  // the middle
  tile[sy][sx] = at(input, r, c, rows, columns);
  // above and below
  if (ty < kRadius) {
    tile[ty][sx] = at(input, r - kRadius, c, rows, columns);
    tile[sy + TILE][sx] = at(input, r + TILE, c, rows, columns);
  }
  // left and right
  if (tx < kRadius) {
    tile[sy][tx] = at(input, r, c - kRadius, rows, columns);
    tile[sy][sx + TILE] = at(input, r, c + TILE, rows, columns);
  }
  __syncthreads();

  if (r < rows && c < columns) {
    float sum = 0.0f;
    for (int i = 0; i < FW; i++) {
      for (int j = 0; j < FW; j++) {
        sum += F[i * FW + j] * tile[ty + i][tx + j];
      }
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, FW * FW * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
