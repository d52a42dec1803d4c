// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is turned by 180 degrees, as in the mathematical convolution: coefficient (4 - i, 4 - j)
//   meets element (r + i - 2, c + j - 2). The contract says coefficient (i, j). Shows for every filter that is
//   not the same after half a turn; a blur or a filter of ones hides it.
// want: Write down the formula of the contract for output(0, 0) in a 1 x 2 matrix. Which coefficient belongs to
//   input(0, 1): filter(2, 3) or filter(2, 1)?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define STEP 8
#define IN (TILE + 2 * kRadius)

__constant__ float constant_filter[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float cache[IN][IN];

  // load
  for (int i = threadIdx.y; i < IN; i += STEP) {
    const int row = blockIdx.y * TILE + i - kRadius;
    for (int j = threadIdx.x; j < IN; j += TILE) {
      const int column = blockIdx.x * TILE + j - kRadius;
      const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
      cache[i][j] = inside ? input[row * columns + column] : 0;
    }
  }
  __syncthreads();

  // compute. A convolution is a correlation with the mirrored filter!
  const int column = blockIdx.x * TILE + threadIdx.x;
  for (int k = 0; k < TILE / STEP; k++) {
    const int y = threadIdx.y + k * STEP;
    const int row = blockIdx.y * TILE + y;
    if (row >= rows || column >= columns) continue;
    float sum = 0;
    for (int i = 0; i < WIDTH; i++) {
      for (int j = 0; j < WIDTH; j++) {
        sum += constant_filter[WIDTH - 1 - i][WIDTH - 1 - j] * cache[y + i][threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(constant_filter, filter, sizeof(constant_filter), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, STEP)>>>(input, output, rows, columns);
}
