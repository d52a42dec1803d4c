// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is copied to constant memory only when its address is another than in the last call. If the
//   caller writes new coefficients to the same array, or frees it and gets the same address again for another filter,
//   the old coefficients stay. Shows in the second of two calls with one address and two filters.
// want: What does an address say about the values that lie there? Think of a program that changes its filter array
//   and calls convolution again: which coefficients does the kernel use?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 32
#define TILE_ROWS 8
#define HALO (2 * kRadius)

__constant__ float mask[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* __restrict__ input, float* __restrict__ output, int rows,
                                   int columns) {
  __shared__ float s[TILE + HALO][TILE + HALO];

  const int r0 = (int)blockIdx.y * TILE - kRadius;
  const int c0 = (int)blockIdx.x * TILE - kRadius;
  for (int y = threadIdx.y; y < TILE + HALO; y += TILE_ROWS) {
    for (int x = threadIdx.x; x < TILE + HALO; x += TILE) {
      const int r = r0 + y, c = c0 + x;
      s[y][x] = (r < 0 || r >= rows || c < 0 || c >= columns) ? 0.0f : input[r * columns + c];
    }
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  if (column >= columns) return;
#pragma unroll
  for (int y = threadIdx.y; y < TILE; y += TILE_ROWS) {
    const int row = blockIdx.y * TILE + y;
    if (row >= rows) return;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) {
        sum += mask[i * WIDTH + j] * s[y + i][threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // The copy costs almost as much as a small convolution. Don't repeat it for the same filter.
  static const float* last_filter = nullptr;
  if (filter != last_filter) {
    cudaMemcpyToSymbol(mask, filter, sizeof(mask), 0, cudaMemcpyDeviceToDevice);
    last_filter = filter;
  }
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE_ROWS)>>>(input, output, rows, columns);
}
