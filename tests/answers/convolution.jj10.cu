// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemcpyToSymbol gets the number of coefficients, 25, as its count, but it counts bytes. Only six
//   coefficients and one byte of the seventh arrive; the others stay 0. Shows for every input with a filter that
//   is not 0 from the seventh coefficient on.
// want: Does the third argument count elements or bytes? A filter with a 1 in its centre and 0 elsewhere should
//   copy the input: what do you get?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE_X 64
#define TILE_Y 4
#define PER_THREAD 8
#define IN_X (TILE_X + 2 * kRadius)
#define IN_Y (TILE_Y * PER_THREAD + 2 * kRadius)

__constant__ float F[FW * FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[IN_Y][IN_X];
  const int base_r = (int)blockIdx.y * TILE_Y * PER_THREAD;
  const int base_c = (int)blockIdx.x * TILE_X;

  for (int y = threadIdx.y; y < IN_Y; y += TILE_Y) {
    for (int x = threadIdx.x; x < IN_X; x += TILE_X) {
      const int r = base_r + y - kRadius;
      const int c = base_c + x - kRadius;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  const int c = base_c + threadIdx.x;
  if (c >= columns) return;
#pragma unroll
  for (int k = 0; k < PER_THREAD; k++) {
    const int y = threadIdx.y + k * TILE_Y;
    if (base_r + y < rows) {
      float sum = 0.0f;
      for (int i = 0; i < FW; i++) {
        for (int j = 0; j < FW; j++) sum += F[i * FW + j] * tile[y + i][threadIdx.x + j];
      }
      output[(base_r + y) * columns + c] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, FW * FW, 0, cudaMemcpyDeviceToDevice);
  const int rows_per_block = TILE_Y * PER_THREAD;
  dim3 grid((columns + TILE_X - 1) / TILE_X, (rows + rows_per_block - 1) / rows_per_block);
  conv_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, rows, columns);
}
