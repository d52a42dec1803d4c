// SPDX-License-Identifier: Apache-2.0
// mistake: A block walks down 64 rows and adds each row of input to the five rows of output that need it. It starts
//   at its own first row: the two rows of input above are missing in its first two rows of output. Rows 64, 65, 128,
//   129 and so on are wrong; up to 64 rows everything is right.
// want: Which rows of input does output row 64 need, and which of them does block row 1 load? Why is row 0 right?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define COLUMNS 128  // of a block, one per thread
#define ROWS 64      // that a block walks down

__constant__ float weight[WIDTH][WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float line[COLUMNS + 2 * kRadius];  // a single row of input is enough
  const int left = blockIdx.x * COLUMNS - kRadius;
  const int column = blockIdx.x * COLUMNS + threadIdx.x;
  const int first = blockIdx.y * ROWS;
  const int last = min(first + ROWS, rows);

  // sums[k] belongs to output row r - 2 + k
  float sums[WIDTH] = {0, 0, 0, 0, 0};
  for (int r = first; r < last + kRadius; ++r) {
    for (int x = threadIdx.x; x < COLUMNS + 2 * kRadius; x += COLUMNS) {
      const int c = left + x;
      line[x] = r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < WIDTH; ++k) {
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) {
        sums[k] += weight[WIDTH - 1 - k][j] * line[threadIdx.x + j];
      }
    }

    // row r was the last one that output row r - 2 needs
    const int done = r - kRadius;
    if (done >= first && column < columns) {
      output[done * columns + column] = sums[0];
    }
#pragma unroll
    for (int k = 0; k < WIDTH - 1; ++k) {
      sums[k] = sums[k + 1];
    }
    sums[WIDTH - 1] = 0;
    __syncthreads();
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(weight, filter, sizeof(weight), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + COLUMNS - 1) / COLUMNS, (rows + ROWS - 1) / ROWS);
  convolution_kernel<<<grid, COLUMNS>>>(input, output, rows, columns);
}
