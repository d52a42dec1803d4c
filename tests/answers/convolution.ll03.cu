// SPDX-License-Identifier: Apache-2.0
// mistake: The output tile is only 8 x 8. With its halo it has 12 x 12 elements, so a block loads 144 floats for 64
//   elements of output: 2.25 floats or 9 bytes per element (8.9 at 512 x 512, where the outermost halo is outside the
//   matrix). At most 8 bytes are allowed. The values are right. Shows for every large input.
// want: How many floats does a block load, and for how many elements of output? Work out the ratio for tiles of 8, 16
//   and 32: what happens to the share of the halo?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 8  // 16 was in the starter. Smaller blocks: more blocks per SM, and less waiting at the barrier
#define PADDED (TILE + 2 * kRadius)

__constant__ float c_filter[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[PADDED * PADDED];

  const int first_row = (int)(blockIdx.y * TILE) - kRadius;
  const int first_column = (int)(blockIdx.x * TILE) - kRadius;
  for (int e = threadIdx.y * TILE + threadIdx.x; e < PADDED * PADDED; e += TILE * TILE) {
    const int r = first_row + e / PADDED;
    const int c = first_column + e % PADDED;
    const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
    tile[e] = inside ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += c_filter[i * WIDTH + j] * tile[(threadIdx.y + i) * PADDED + threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(c_filter, filter, sizeof(c_filter), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
