// SPDX-License-Identifier: Apache-2.0
// mistake: A thread computes 4 elements, one below the other, but compares only the row of the first with `rows`. If
//   rows is not a multiple of 4, it also stores the elements of up to 3 rows below the matrix: behind the end of
//   output. Shows for every number of rows that is not a multiple of 4, as stores outside the array.
// want: Let rows be 5. Which thread computes row 4, and which rows does it store to? How large is output?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define BX 32
#define BY 8
#define PER_THREAD 4
#define TILE_R (BY * PER_THREAD)
#define TILE_C BX

__constant__ float coeff[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_R + 2 * kRadius][TILE_C + 2 * kRadius];

  const int block_row = blockIdx.y * TILE_R;
  const int block_column = blockIdx.x * TILE_C;

  for (int y = threadIdx.y; y < TILE_R + 2 * kRadius; y += BY) {
    const int r = block_row + y - kRadius;
    for (int x = threadIdx.x; x < TILE_C + 2 * kRadius; x += BX) {
      const int c = block_column + x - kRadius;
      float v = 0.0f;
      if (r >= 0 && r < rows && c >= 0 && c < columns) {
        v = input[r * columns + c];
      }
      tile[y][x] = v;
    }
  }
  __syncthreads();

  // This thread: 4 rows of the same column, so every element from shared memory serves several sums.
  const int y0 = threadIdx.y * PER_THREAD;
  const int row = block_row + y0;
  const int column = block_column + threadIdx.x;
  if (row >= rows || column >= columns) return;

  float sum[PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int y = 0; y < PER_THREAD + 2 * kRadius; ++y) {
    for (int j = 0; j < WIDTH; ++j) {
      const float v = tile[y0 + y][threadIdx.x + j];
      for (int k = 0; k < PER_THREAD; ++k) {
        const int i = y - k;
        if (i >= 0 && i < WIDTH) sum[k] += coeff[i][j] * v;
      }
    }
  }
  for (int k = 0; k < PER_THREAD; ++k) {
    output[(row + k) * columns + column] = sum[k];
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coeff, filter, sizeof(coeff), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE_C - 1) / TILE_C, (rows + TILE_R - 1) / TILE_R);
  convolution_kernel<<<grid, dim3(BX, BY)>>>(input, output, rows, columns);
}
