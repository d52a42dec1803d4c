// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is copied to constant memory only if its address differs from that of the last call. The same
//   array with new coefficients (or a new array at an address that was freed) is taken for the old filter, and the
//   output is that of the old one. The first call with an address is right.
// want: A program overwrites the five rows of its filter array and calls convolution again. Which coefficients does
//   your kernel use? What does an equal pointer say about what is behind it?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define HALO (TILE + 2 * kRadius)
#define BLOCK_ROWS 8

__constant__ float constant_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[HALO][HALO];
  const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;

  for (int k = threadIdx.y * TILE + threadIdx.x; k < HALO * HALO; k += TILE * BLOCK_ROWS) {
    const int r = row0 + k / HALO - kRadius, c = column0 + k % HALO - kRadius;
    tile[k / HALO][k % HALO] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();

  const int column = column0 + threadIdx.x;
  if (column >= columns) return;
  for (int y = threadIdx.y; y < TILE && row0 + y < rows; y += BLOCK_ROWS) {
    float sum = 0;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) {
        sum += constant_filter[i * WIDTH + j] * tile[y + i][threadIdx.x + j];
      }
    }
    output[(row0 + y) * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  static const float* last_filter = nullptr;
  if (filter != last_filter) {  // copying costs time, so only if the filter has changed
    cudaMemcpyToSymbol(constant_filter, filter, sizeof(constant_filter), 0, cudaMemcpyDeviceToDevice);
    last_filter = filter;
  }
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, BLOCK_ROWS)>>>(input, output, rows, columns);
}
