// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the tile is too small. 8 x 8 elements of output need 12 x 12 of input: 2.25 loads, 9
//   bytes per element. The limit is 8 bytes, for large inputs. Values, sectors and threads are fine.
// want: How many elements does a block load, and how many does it compute? What happens to this ratio if the tile
//   gets larger?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 8  // 64 threads: small blocks, more of them fit on a SM
#define TILE_AND_HALO (TILE + 2 * kRadius)

__constant__ float filter_in_constant_memory[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_AND_HALO * TILE_AND_HALO];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;

  int element = threadIdx.y * TILE + threadIdx.x;
  while (element < TILE_AND_HALO * TILE_AND_HALO) {
    const int r = (int)blockIdx.y * TILE + element / TILE_AND_HALO - kRadius;
    const int c = (int)blockIdx.x * TILE + element % TILE_AND_HALO - kRadius;
    if (r < 0 || r >= rows || c < 0 || c >= columns) {
      tile[element] = 0;
    } else {
      tile[element] = input[r * columns + c];
    }
    element += TILE * TILE;
  }
  __syncthreads();

  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += filter_in_constant_memory[i * WIDTH + j] * tile[(threadIdx.y + i) * TILE_AND_HALO + threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(filter_in_constant_memory, filter, WIDTH * WIDTH * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
