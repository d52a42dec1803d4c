// SPDX-License-Identifier: Apache-2.0
// mistake: Whether an element lies outside the matrix is decided by its number r * columns + c alone. Left of column 0
//   lies the end of the row above, and right of the last column the beginning of the row below: these elements count as
//   neighbours instead of 0. Shows in the first and last two columns of every matrix, unless the elements there
//   are 0.
// want: For a matrix of 4 rows and 10 columns, which number do you compute for the element left of (2, 0)? Is it from 0
//   to 39? Which element do you load then?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)  // of the filter
#define TILE 16                  // rows and columns of output that a block computes
#define TILE_IN (TILE + WIDTH - 1)

__constant__ float filter_const[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float in[TILE_IN][TILE_IN];
  const int size = rows * columns;

  for (int n = threadIdx.x + threadIdx.y * TILE; n < TILE_IN * TILE_IN; n += TILE * TILE) {
    const int y = n / TILE_IN;
    const int x = n % TILE_IN;
    const int r = (int)blockIdx.y * TILE + y - kRadius;
    const int c = (int)blockIdx.x * TILE + x - kRadius;
    const int index = r * columns + c;
    // outside of the array: 0
    if (index >= 0 && index < size) {
      in[y][x] = input[index];
    } else {
      in[y][x] = 0;
    }
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) return;

  float sum = 0;
  const float* f = filter_const;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += *f++ * in[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(filter_const, filter, sizeof(filter_const), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
