// SPDX-License-Identifier: Apache-2.0
// mistake: The halo is loaded at the left, right, top and bottom, but not in the four corners of 2 x 2 elements: nobody
//   writes these in shared memory. Every element of output within 2 rows and 2 columns of a corner of its tile uses
//   them. Shows for sure from 17 x 17 elements on, where the corners hold elements of the matrix; for smaller ones, the
//   corners should be 0 and hold whatever is left in shared memory.
// want: Draw the tile of 20 x 20 elements, and mark in it which of your five statements fills which part. Is anything
//   left white? Which elements of input does the element (0, 0) of a tile need?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16

__constant__ float c_filter[WIDTH * WIDTH];

__device__ float element(const float* input, int r, int c, int rows, int columns) {
  if (r < 0 || r >= rows || c < 0 || c >= columns) return 0.0f;
  return input[r * columns + c];
}

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE + 2 * kRadius][TILE + 2 * kRadius];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * TILE + x;
  const int row = blockIdx.y * TILE + y;

  // my own element
  tile[y + kRadius][x + kRadius] = element(input, row, column, rows, columns);
  // the halo left and right of the tile
  if (x < kRadius) {
    tile[y + kRadius][x] = element(input, row, column - kRadius, rows, columns);
    tile[y + kRadius][x + TILE + kRadius] = element(input, row, column + TILE, rows, columns);
  }
  // the halo above and below
  if (y < kRadius) {
    tile[y][x + kRadius] = element(input, row - kRadius, column, rows, columns);
    tile[y + TILE + kRadius][x + kRadius] = element(input, row + TILE, column, rows, columns);
  }
  __syncthreads();

  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += c_filter[i * WIDTH + j] * tile[y + i][x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(c_filter, filter, WIDTH * WIDTH * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
