// SPDX-License-Identifier: Apache-2.0
// mistake: Before storing, only the row is tested. Threads right of the matrix, column >= columns, store at
//   row * columns + column, which is an element of the next row, or behind the end of output in the last row:
//   wrong values, in a race with the right ones. Shows where columns is not a multiple of 16.
// want: Take 2 rows and 10 columns. The thread with row 0 and column 12 passes your test: which element of output
//   does it store?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 16
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW][FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  int t = threadIdx.y * TILE + threadIdx.x;
  for (; t < TILE_IN * TILE_IN; t += TILE * TILE) {
    int r = (int)blockIdx.y * TILE - kRadius + t / TILE_IN;
    int c = (int)blockIdx.x * TILE - kRadius + t % TILE_IN;
    tile[t / TILE_IN][t % TILE_IN] = (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int i = 0; i < FW; i++) {
    for (int j = 0; j < FW; j++) {
      sum += F[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }

  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  if (row < rows) {
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
