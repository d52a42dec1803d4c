// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. The result needs an element 25 times, and the kernel
// loads it little more than once. Four ideas:
//
//   shared memory     a block loads its tile and a halo of two elements around it. After that, it reads only
//                     shared memory.
//   coarsening        a thread computes ROWS elements of one column. An element that it reads from shared
//                     memory goes into up to five of them. The halo is a small share of a large tile, and
//                     every thread computes.
//   constant memory   all threads use the same coefficient at the same time. A multiply-add can take one
//                     factor from constant memory, without a load.
//   copies that run   a thread starts all its copies to shared memory, and waits for them only once.
//   at the same time

#include <cuda_pipeline.h>

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)  // of the filter
#define TILE_X 128
#define THREADS_Y 2
#define ROWS 16  // that a thread computes
#define TILE_Y (THREADS_Y * ROWS)
#define THREADS (TILE_X * THREADS_Y)
#define LOADED_X (TILE_X + 2 * kRadius)
#define LOADED_Y (TILE_Y + 2 * kRadius)

__constant__ float coefficients[WIDTH][WIDTH];

// The 1 lets the compiler use 48 registers a thread instead of 32.
__global__ __launch_bounds__(THREADS, 1) void convolution_kernel(const float* input, float* output, int rows,
                                                                 int columns) {
  __shared__ float tile[LOADED_Y][LOADED_X];

  // One index for both directions, since blockIdx.y ends at 65535.
  const int tiles_x = (columns + TILE_X - 1) / TILE_X;
  const int tile_column = blockIdx.x % tiles_x * TILE_X;
  const int tile_row = blockIdx.x / tiles_x * TILE_Y;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // First the columns 0 to TILE_X - 1 of the tile: each thread copies elements of one column. Where the
  // matrix has no element, nothing is copied, and the 4 bytes become 0.
  const int column = tile_column + tx;
  const int first_row = tile_row + ty - kRadius;
  const float* const from = input + static_cast<ptrdiff_t>(first_row) * columns + column - kRadius;
  const bool column_exists = kRadius <= column && column < columns + kRadius;
#pragma unroll
  for (int r = 0; r < LOADED_Y; r += THREADS_Y) {
    const bool exists = column_exists && 0 <= first_row + r && first_row + r < rows;
    __pipeline_memcpy_async(&tile[r + ty][tx], exists ? from + r * columns : input, 4, exists ? 0 : 4);
  }
  __pipeline_commit();

  // Then the last 2 * kRadius columns, spread over all threads.
  for (int i = ty * TILE_X + tx; i < LOADED_Y * 2 * kRadius; i += THREADS) {
    const int r = i / (2 * kRadius);
    const int c = TILE_X + i % (2 * kRadius);
    const int from_row = tile_row + r - kRadius;
    const int from_column = tile_column + c - kRadius;
    const bool exists = 0 <= from_row && from_row < rows && from_column < columns;
    tile[r][c] = exists ? input[static_cast<size_t>(from_row) * columns + from_column] : 0.0f;
  }
  __pipeline_wait_prior(0);  // the thread's own copies have arrived
  __syncthreads();           // those of all others, too

  // An element in row r goes into the sums of rows r - WIDTH + 1 to r. All loops are unrolled, so each sum is
  // a register, and each coefficient is part of an instruction.
  float sum[ROWS] = {};
#pragma unroll
  for (int r = 0; r < ROWS + WIDTH - 1; ++r) {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      const float element = tile[ty * ROWS + r][tx + j];
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) {
        if (0 <= r - i && r - i < ROWS) sum[r - i] += coefficients[i][j] * element;
      }
    }
  }

  const int row = tile_row + ty * ROWS;
  const int rows_left = column < columns ? rows - row : 0;
  float* const to = output + static_cast<size_t>(row) * columns + column;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (r < rows_left) to[r * columns] = sum[r];
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // The filter is in device memory already, so nothing goes over the host.
  cudaMemcpyToSymbolAsync(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const int tiles = ((columns + TILE_X - 1) / TILE_X) * ((rows + TILE_Y - 1) / TILE_Y);
  convolution_kernel<<<tiles, dim3(TILE_X, THREADS_Y)>>>(input, output, rows, columns);
}
