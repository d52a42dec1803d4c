// SPDX-License-Identifier: Apache-2.0
// mistake: Threads outside the matrix return before the tile is loaded. But the loading loop counts on all 256
//   threads: the elements of the tile that were theirs are never written, also those that are inside the matrix,
//   or must be 0. Shows where rows or columns is not a multiple of 16. A barrier after a return of some threads
//   is not allowed, either.
// want: Take 1 row and 20 columns. In the second block only 4 threads are left: which elements of the tile do
//   they load, and which ones do their sums need?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define PADDED (TILE + 2 * kRadius)

__constant__ float coefficient[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[PADDED][PADDED];

  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row >= rows || column >= columns) return;

  const int thread = threadIdx.y * TILE + threadIdx.x;
  for (int e = thread; e < PADDED * PADDED; e += TILE * TILE) {
    const int r = (int)blockIdx.y * TILE + e / PADDED - kRadius;
    const int c = (int)blockIdx.x * TILE + e % PADDED - kRadius;
    float value = 0;
    if (r >= 0 && r < rows && c >= 0 && c < columns) value = input[r * columns + c];
    tile[e / PADDED][e % PADDED] = value;
  }
  __syncthreads();

  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      sum += coefficient[i * WIDTH + j] * tile[threadIdx.y + i][threadIdx.x + j];
    }
  }
  output[row * columns + column] = sum;
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficient, filter, WIDTH * WIDTH * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
