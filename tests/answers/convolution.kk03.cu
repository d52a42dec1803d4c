// SPDX-License-Identifier: Apache-2.0
// mistake: Whether an element is inside the matrix is asked of its index r * columns + c, not of r and c. Left of
//   column 0 and right of the last column the index is still inside the array: there the tile gets the end of the row
//   above or the start of the row below instead of 0. The first two and last two columns are wrong; the rest is
//   right.
// want: For r = 3 and c = -1, what is r * columns + c, and which element is that? Should it be 0?

#include "convolution.h"

#define K 5
#define TILE 32
#define SIDE (TILE + K - 1)

__constant__ float weights[K * K];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[SIDE * SIDE];
  const int size = rows * columns;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y;
  const int top = blockIdx.y * TILE - kRadius;
  const int left = blockIdx.x * TILE - kRadius;

  for (int e = thread; e < SIDE * SIDE; e += threads) {
    const int index = (top + e / SIDE) * columns + left + e % SIDE;
    // out of range -> 0
    if (index < 0 || index >= size) {
      tile[e] = 0;
    } else {
      tile[e] = input[index];
    }
  }
  __syncthreads();

  const int column = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += blockDim.y) {
    const int row = blockIdx.y * TILE + y;
    if (row < rows && column < columns) {
      float sum = 0;
      for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) sum += weights[i * K + j] * tile[(y + i) * SIDE + threadIdx.x + j];
      output[row * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(weights, filter, K * K * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  dim3 block(TILE, 8);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, block>>>(input, output, rows, columns);
}
