// SPDX-License-Identifier: Apache-2.0
// mistake: Elements outside the matrix are clamped to the nearest element inside, as many image libraries do it.
//   The contract says that they count as 0. The two outer rows and columns of output are wrong, for every size;
//   the inner elements are right.
// want: What does the contract say that an element outside the matrix counts as? Compute output(0, 0) by hand for
//   a matrix of 1 x 1 and a filter of ones.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE 16
#define SIDE (TILE + 2 * kRadius)

__constant__ float kernel_weights[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* __restrict__ input, float* __restrict__ output, int rows,
                                   int columns) {
  __shared__ float tile[SIDE][SIDE + 1];

  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
  for (int t = tid; t < SIDE * SIDE; t += TILE * TILE) {
    const int y = t / SIDE;
    const int x = t % SIDE;
    // clamp: no if needed, no divergence
    const int r = min(max((int)(blockIdx.y * TILE) + y - kRadius, 0), rows - 1);
    const int c = min(max((int)(blockIdx.x * TILE) + x - kRadius, 0), columns - 1);
    tile[y][x] = input[r * columns + c];
  }
  __syncthreads();

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  if (row < rows && column < columns) {
    float acc = 0.0f;
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
#pragma unroll
      for (int j = 0; j < WIDTH; j++) {
        acc = fmaf(kernel_weights[i * WIDTH + j], tile[threadIdx.y + i][threadIdx.x + j], acc);
      }
    }
    output[row * columns + column] = acc;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(kernel_weights, filter, sizeof(float) * WIDTH * WIDTH, 0, cudaMemcpyDeviceToDevice);
  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  convolution_kernel<<<grid, dim3(TILE, TILE)>>>(input, output, rows, columns);
}
