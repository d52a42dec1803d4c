// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is copied to constant memory only when the pointer differs from that of the last call. A
//   caller may write other coefficients to the same place, or free it and get the same address again: then the
//   old filter is used. The first call is right.
// want: A caller filters a picture twice, with the same device array for the filter, but writes new coefficients
//   to it in between. Which coefficients does the second call use? What does an equal pointer tell you?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define HALO_TILE (TILE + 2 * kRadius)

__constant__ float coefficients[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[HALO_TILE][HALO_TILE];
  const int first_row = blockIdx.y * TILE - kRadius;
  const int first_column = blockIdx.x * TILE - kRadius;
  for (int k = threadIdx.x + TILE * threadIdx.y; k < HALO_TILE * HALO_TILE; k += TILE * TILE) {
    const int y = k / HALO_TILE, x = k % HALO_TILE;
    const int r = first_row + y, c = first_column + x;
    tile[y][x] = (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += coefficients[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // The copy takes longer than the kernel for small images, so do it only for a new filter.
  static const float* last_filter = nullptr;
  if (filter != last_filter) {
    cudaMemcpyToSymbol(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
    last_filter = filter;
  }
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
