// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is loaded column by column: neighbouring threads take neighbouring rows, which lie `columns`
//   floats apart in global memory. A warp's load touches up to 32 sectors for 32 floats, so that about 1.25 sectors
//   per element are fetched; 3 sectors per 4 elements are allowed. The values are right. Shows for every large input.
// want: Which addresses do threads 0, 1 and 2 load in the same instruction? How far apart are they, and how many
//   sectors is that? Which of t / SIDE and t % SIDE should be the column?

#include "convolution.h"

const int W = 2 * kRadius + 1;
const int N = 32;                  // output tile: N x N
const int SIDE = N + 2 * kRadius;  // input tile

__constant__ float coefficients[W * W];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE];

  const int top = (int)blockIdx.y * N - kRadius;
  const int left = (int)blockIdx.x * N - kRadius;
  const int threads = blockDim.x * blockDim.y;

  // First all rows of column 0, then all of column 1 and so on (as in MATLAB).
  for (int t = threadIdx.y * blockDim.x + threadIdx.x; t < SIDE * SIDE; t += threads) {
    const int y = t % SIDE;
    const int x = t / SIDE;
    const int r = top + y;
    const int c = left + x;
    float value = 0.0f;
    if (r >= 0 && r < rows && c >= 0 && c < columns) value = input[r * columns + c];
    tile[y][x] = value;
  }
  __syncthreads();

  const int column = blockIdx.x * N + threadIdx.x;
  // 8 rows of threads, 32 rows of output: 4 elements per thread
  for (int y = threadIdx.y; y < N; y += blockDim.y) {
    const int row = blockIdx.y * N + y;
    if (row < rows && column < columns) {
      float sum = 0.0f;
      for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) sum += coefficients[i * W + j] * tile[y + i][threadIdx.x + j];
      output[row * columns + column] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(coefficients, filter, W * W * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  dim3 block(N, 8);
  dim3 grid((columns + N - 1) / N, (rows + N - 1) / N);
  convolution_kernel<<<grid, block>>>(input, output, rows, columns);
}
