// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: 20 threads load the tile, each a whole row of it, one element after another. At each step
//   the lanes of the warp are in 20 different rows, so each load fetches a sector of its own: 400 sectors per
//   256 elements, 6.25 per 4 elements. The limit is 3, for large inputs. Values and bytes are fine.
// want: At one step of the loop, which addresses do lane 0 and lane 1 load? How many sectors of 32 bytes is that
//   for the warp? Which elements should neighbouring lanes load?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define ROWS_IN (TILE + 2 * kRadius)

__constant__ float fc[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[ROWS_IN][ROWS_IN];
  const int id = threadIdx.y * TILE + threadIdx.x;

  // one thread per row of the tile, so that each thread works on contiguous memory
  if (id < ROWS_IN) {
    const int r = (int)blockIdx.y * TILE + id - kRadius;
    for (int x = 0; x < ROWS_IN; x++) {
      const int c = (int)blockIdx.x * TILE + x - kRadius;
      float v = 0.0f;
      if (r >= 0 && r < rows && c >= 0 && c < columns) {
        v = input[r * columns + c];
      }
      tile[id][x] = v;
    }
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) {
    return;
  }
  float sum = 0.0f;
  for (int i = 0; i < WIDTH; i++) {
    for (int j = 0; j < WIDTH; j++) {
      sum += fc[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(fc, filter, sizeof(fc), 0, cudaMemcpyDeviceToDevice);
  dim3 threads(TILE, TILE);
  dim3 blocks((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<blocks, threads>>>(input, output, rows, columns);
}
