// SPDX-License-Identifier: Apache-2.0
// mistake: No barrier between loading the tile and reading it: the block has 8 warps, and a thread reads elements
//   that threads of other warps load. __syncwarp() waits only for the own warp. Values are wrong at random, for
//   all inputs where a sum needs elements of other warps.
// want: Which thread loads the tile element that lies below a thread's own, two rows further, and is that thread
//   in the same warp? For whom does __syncwarp() wait?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE_X 32
#define TILE_Y 8
#define LOAD_X (TILE_X + 2 * kRadius)
#define LOAD_Y (TILE_Y + 2 * kRadius)

__constant__ float filter_c[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[LOAD_Y][LOAD_X];
  const int lane = threadIdx.x;
  const int warp = threadIdx.y;

  // a warp loads a row: 32 elements and then the last 4
  for (int y = warp; y < LOAD_Y; y += TILE_Y) {
    const int r = (int)blockIdx.y * TILE_Y + y - kRadius;
    for (int x = lane; x < LOAD_X; x += 32) {
      const int c = (int)blockIdx.x * TILE_X + x - kRadius;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
    }
  }
  __syncwarp();  // cheaper than __syncthreads

  const int column = blockIdx.x * TILE_X + lane;
  const int row = blockIdx.y * TILE_Y + warp;
  if (row < rows && column < columns) {
    float sum = 0;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) sum += filter_c[i * WIDTH + j] * tile[warp + i][lane + j];
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(filter_c, filter, sizeof filter_c, 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE_X - 1) / TILE_X, (rows + TILE_Y - 1) / TILE_Y);
  convolution_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, rows, columns);
}
