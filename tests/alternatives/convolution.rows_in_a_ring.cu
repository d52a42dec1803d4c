// SPDX-License-Identifier: Apache-2.0
// differs: a block walks down a strip of 128 columns with six rows in shared memory, which take turns; one
// barrier a row. The filter is copied to the address of the array in constant memory.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define THREADS 128
#define KEPT (WIDTH + 1)
#define ROWS 64

__constant__ float coefficients[WIDTH * WIDTH];

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float kept[KEPT][THREADS + 2 * kRadius];
  const int t = threadIdx.x;
  const int strip = blockIdx.x * THREADS;
  const int first = blockIdx.y * ROWS;
  const int end = min(first + ROWS, rows);

  for (int row = first - kRadius; row < end + kRadius; ++row) {
    float* const into = kept[(row + KEPT) % KEPT];
    for (int i = t; i < THREADS + 2 * kRadius; i += THREADS) {
      const int column = strip + i - kRadius;
      const bool exists = row >= 0 && row < rows && column >= 0 && column < columns;
      into[i] = exists ? input[row * columns + column] : 0.0f;
    }
    __syncthreads();  // the sixth row is the one that nobody reads now

    const int done = row - kRadius;
    if (done < first || strip + t >= columns) continue;
    float sum = 0.0f;
    for (int i = 0; i < WIDTH; ++i) {
      const float* const from = kept[(done + i - kRadius + KEPT) % KEPT];
      for (int j = 0; j < WIDTH; ++j) sum += coefficients[i * WIDTH + j] * from[t + j];
    }
    output[done * columns + strip + t] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, coefficients);
  cudaMemcpy(address, filter, sizeof(coefficients), cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + THREADS - 1) / THREADS, (rows + ROWS - 1) / ROWS);
  convolution_kernel<<<grid, THREADS>>>(input, output, rows, columns);
}
