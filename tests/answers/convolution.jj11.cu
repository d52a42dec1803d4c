// SPDX-License-Identifier: Apache-2.0
// mistake: The host function reads filter[k] to collect the coefficients in an array of its own. filter points to
//   device memory; the host must not dereference it: the program crashes at the first call, for every input.
// want: Who runs the loop in convolution(), and in which memory is filter? How can the coefficients get to
//   constant memory without the host reading them?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 16
#define TILE_IN (TILE + 2 * kRadius)

struct Filter {
  float value[FW][FW];
};

__constant__ Filter constant_filter;

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  for (int y = threadIdx.y; y < TILE_IN; y += TILE) {
    for (int x = threadIdx.x; x < TILE_IN; x += TILE) {
      const int r = (int)blockIdx.y * TILE + y - kRadius;
      const int c = (int)blockIdx.x * TILE + x - kRadius;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
      tile[y][x] = inside ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  const int r = blockIdx.y * TILE + threadIdx.y;
  const int c = blockIdx.x * TILE + threadIdx.x;
  if (r < rows && c < columns) {
    float sum = 0.0f;
    for (int i = 0; i < FW; i++) {
      for (int j = 0; j < FW; j++) {
        sum += constant_filter.value[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
      }
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  Filter f;
  for (int i = 0; i < FW; i++) {
    for (int j = 0; j < FW; j++) {
      f.value[i][j] = filter[i * FW + j];
    }
  }
  cudaMemcpyToSymbol(constant_filter, &f, sizeof(Filter));

  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
