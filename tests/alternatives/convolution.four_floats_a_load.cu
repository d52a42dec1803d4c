// SPDX-License-Identifier: Apache-2.0
// differs: a tile of 64 x 32 in dynamic shared memory, loaded four floats at a time where rows allow it; the
// first warp of each block copies the filter to shared memory, and each coefficient serves eight rows of a
// thread.

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)
#define TILE_X 64
#define TILE_Y 32
#define THREADS_Y 4
#define MARGIN 4  // on the left and on the right: the halo, rounded up to a float4
#define LOADED_X (TILE_X + 2 * MARGIN)
#define LOADED_Y (TILE_Y + 2 * kRadius)

__global__ void convolution_kernel(const float* input, const float* filter, float* output, int rows,
                                   int columns) {
  extern __shared__ float shared[];
  float* const weights = shared + LOADED_X * LOADED_Y;
  const int t = threadIdx.y * TILE_X + threadIdx.x;
  const int tile_row = blockIdx.y * TILE_Y, tile_column = blockIdx.x * TILE_X;

  if (t < WIDTH * WIDTH) weights[t] = filter[t];
  const bool whole = columns % 4 == 0 && reinterpret_cast<size_t>(input) % 16 == 0;
  for (int q = t; q < LOADED_X / 4 * LOADED_Y; q += TILE_X * THREADS_Y) {
    const int r = q / (LOADED_X / 4), c = q % (LOADED_X / 4) * 4;
    const int row = tile_row + r - kRadius, column = tile_column + c - MARGIN;
    float4 values = make_float4(0, 0, 0, 0);
    if (row >= 0 && row < rows) {
      const float* const from = input + row * columns + column;
      if (whole && column >= 0 && column < columns) {
        values = *reinterpret_cast<const float4*>(from);
      } else {
        if (column >= 0 && column < columns) values.x = from[0];
        if (column + 1 >= 0 && column + 1 < columns) values.y = from[1];
        if (column + 2 >= 0 && column + 2 < columns) values.z = from[2];
        if (column + 3 >= 0 && column + 3 < columns) values.w = from[3];
      }
    }
    *reinterpret_cast<float4*>(shared + r * LOADED_X + c) = values;
  }
  __syncthreads();

  const int column = tile_column + threadIdx.x;
  float sums[TILE_Y / THREADS_Y] = {};
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      const float weight = weights[i * WIDTH + j];
      const float* const from = shared + (threadIdx.y + i) * LOADED_X + threadIdx.x + j + MARGIN - kRadius;
#pragma unroll
      for (int k = 0; k < TILE_Y / THREADS_Y; ++k) sums[k] += weight * from[k * THREADS_Y * LOADED_X];
    }
  }
#pragma unroll
  for (int k = 0; k < TILE_Y / THREADS_Y; ++k) {
    const int row = tile_row + threadIdx.y + k * THREADS_Y;
    if (row < rows && column < columns) output[row * columns + column] = sums[k];
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  const dim3 grid((columns + TILE_X - 1) / TILE_X, (rows + TILE_Y - 1) / TILE_Y);
  const size_t bytes = (LOADED_X * LOADED_Y + WIDTH * WIDTH) * sizeof(float);
  convolution_kernel<<<grid, dim3(TILE_X, THREADS_Y), bytes>>>(input, filter, output, rows, columns);
}
