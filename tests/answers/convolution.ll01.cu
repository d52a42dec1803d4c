// SPDX-License-Identifier: Apache-2.0
// mistake: One thread per element of the input tile: blocks of 32 x 32 threads, of which only the inner 28 x 28 store
//   an element. 240 of 1024 threads (23 %) load halo elements and store nothing, and with 512 x 512 elements even
//   29 %, as 19 x 28 reaches beyond the matrix: more than a fifth. The values are right. Shows for every large
//   input whose rows and columns are multiples of 128.
// want: How many of your 1024 threads pass the last `if`? Which share is that, and which share may it be? What if
//   the block were as large as the output tile, or smaller, and a thread loaded more than one element?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define IN_TILE 32                        // what a block loads, and also its threads
#define OUT_TILE (IN_TILE - 2 * kRadius)  // what it computes: 28

__constant__ float F[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[IN_TILE][IN_TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = (int)blockIdx.x * OUT_TILE + tx - kRadius;
  const int row = (int)blockIdx.y * OUT_TILE + ty - kRadius;

  // Each thread loads exactly one element. A full warp per row, no loop needed.
  if (row >= 0 && row < rows && column >= 0 && column < columns) {
    tile[ty][tx] = input[row * columns + column];
  } else {
    tile[ty][tx] = 0.0f;
  }
  __syncthreads();

  // The threads at the edge have only loaded.
  const bool inside = tx >= kRadius && tx < IN_TILE - kRadius && ty >= kRadius && ty < IN_TILE - kRadius;
  if (inside && row < rows && column < columns) {
    float sum = 0.0f;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) {
        sum += F[i * WIDTH + j] * tile[ty - kRadius + i][tx - kRadius + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + OUT_TILE - 1) / OUT_TILE, (rows + OUT_TILE - 1) / OUT_TILE);
  convolution_kernel<<<grid, dim3(IN_TILE, IN_TILE)>>>(input, output, rows, columns);
}
