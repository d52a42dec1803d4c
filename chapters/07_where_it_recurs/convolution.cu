// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs. The kernel below is right, but every thread loads 25 elements and 25
// coefficients for one element of output. Put the filter into constant memory, and let each block load a tile
// of input, with a halo of kRadius elements around it, into shared memory. Four places are marked TODO.
//
//   ./warplings check convolution

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)  // of the filter
#define TILE 16                  // rows and columns of output that a block computes

// TODO 1: declare the filter here, as an array in constant memory: __constant__ float ...

__global__ void convolution_kernel(const float* input, const float* filter, float* output, int rows,
                                   int columns) {
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;

  // TODO 2: load the tile and its halo into shared memory. It has more elements than the block has threads:
  // let each thread load several. Elements outside the matrix become 0. Then wait.

  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      // TODO 3: take both factors from where they are now.
      const int r = row + i - kRadius, c = column + j - kRadius;
      if (r >= 0 && r < rows && c >= 0 && c < columns) sum += filter[i * WIDTH + j] * input[r * columns + c];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // TODO 4: copy the filter to constant memory with cudaMemcpyToSymbol. It comes from device memory: the last
  // argument says so. For speed: can a block compute more elements than it has threads?
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, filter, output, rows, columns);
}
