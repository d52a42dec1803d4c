// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. The result needs an element 25 times, and the kernel
// loads it little more than once. Five ideas:
//
//   shared memory     a block loads its tile and a halo around it. After that, it reads only shared memory.
//   coarsening        a thread computes several rows of its columns. An element that it reads from shared
//                     memory goes into up to five sums of each column. The halo is a small share of a large
//                     tile, and every thread computes.
//   four at a time    where rows begin at a multiple of 16 bytes, a thread computes four neighbours in each
//                     row. It copies, reads and stores float4, with a quarter of the instructions.
//   constant memory   all threads use the same coefficient at the same time. A multiply-add can take one
//                     factor from constant memory, without a load.
//   copies that run   a thread starts all its copies to shared memory, and waits for them only once.
//   at the same time

#include <cuda_pipeline.h>
#include <stdint.h>

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)  // of the filter
#define TILE_X 128
#define TILE_Y 32
#define LOADED_Y (TILE_Y + 2 * kRadius)

__constant__ float coefficients[WIDTH][WIDTH];

// Elements is float or float4: the neighbours in a row that a thread copies and computes together. threads_y
// divides LOADED_Y. The 1 lets the compiler use more registers.
template <typename Elements, int threads_y>
__global__ __launch_bounds__(TILE_X* threads_y, 1) void convolution_kernel(const float* input, float* output,
                                                                           int rows, int columns) {
  constexpr int n = sizeof(Elements) / sizeof(float);
  constexpr int threads_x = TILE_X / n;
  constexpr int rows_each = TILE_Y / threads_y;      // that a thread computes
  constexpr int margin = n < kRadius ? kRadius : n;  // of the tile, left and right: whole Elements
  constexpr int loaded_x = TILE_X + 2 * margin;
  __shared__ __align__(16) float tile[LOADED_Y][loaded_x];

  // One index for both directions, since blockIdx.y ends at 65535.
  const int tiles_x = (columns + TILE_X - 1) / TILE_X;
  const int tile_column = blockIdx.x % tiles_x * TILE_X;
  const int tile_row = blockIdx.x / tiles_x * TILE_Y;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // First the columns 0 to TILE_X - 1 of the loaded ones: each thread copies Elements below each other. Where
  // the matrix has no element, nothing is copied, and the bytes become 0.
  const int first_row = tile_row + ty - kRadius;
  const int first_column = tile_column + n * tx - margin;
  const float* const from = input + static_cast<ptrdiff_t>(first_row) * columns + first_column;
  const bool column_exists = 0 <= first_column && first_column < columns;
#pragma unroll
  for (int r = 0; r < LOADED_Y; r += threads_y) {
    const bool exists = column_exists && 0 <= first_row + r && first_row + r < rows;
    __pipeline_memcpy_async(&tile[r + ty][n * tx], exists ? from + r * columns : input, sizeof(Elements),
                            exists ? 0 : sizeof(Elements));
  }

  // Then the last 2 * margin columns, spread over all threads.
  constexpr int copies = 2 * margin / n;  // in each row
  for (int i = ty * threads_x + tx; i < LOADED_Y * copies; i += threads_x * threads_y) {
    const int r = i / copies;
    const int c = TILE_X + i % copies * n;
    const int row = tile_row + r - kRadius;
    const int column = tile_column + c - margin;
    const bool exists = 0 <= row && row < rows && column < columns;
    __pipeline_memcpy_async(&tile[r][c], exists ? input + static_cast<size_t>(row) * columns + column : input,
                            sizeof(Elements), exists ? 0 : sizeof(Elements));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);  // the thread's own copies have arrived
  __syncthreads();           // those of all others, too

  // An element in row r goes into the sums of rows r - WIDTH + 1 to r. All loops are unrolled, so each sum is
  // a register, and each coefficient is part of an instruction.
  float sum[rows_each][n] = {};
#pragma unroll
  for (int r = 0; r < rows_each + WIDTH - 1; ++r) {
    float element[n + 2 * margin];
#pragma unroll
    for (int j = 0; j < n + 2 * margin; j += n) {
      *reinterpret_cast<Elements*>(&element[j]) =
          *reinterpret_cast<const Elements*>(&tile[ty * rows_each + r][n * tx + j]);
    }
#pragma unroll
    for (int c = 0; c < n; ++c) {
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) {
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) {
          const int to = r - i;
          if (0 <= to && to < rows_each) sum[to][c] += coefficients[i][j] * element[margin - kRadius + c + j];
        }
      }
    }
  }

  const int row = tile_row + ty * rows_each;
  const int column = tile_column + n * tx;
  const int rows_left = column < columns ? rows - row : 0;
  float* const to = output + static_cast<size_t>(row) * columns + column;
#pragma unroll
  for (int r = 0; r < rows_each; ++r) {
    if (r < rows_left) {
      *reinterpret_cast<Elements*>(to + r * columns) = *reinterpret_cast<const Elements*>(sum[r]);
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // The filter is in device memory already, so nothing goes over the host.
  cudaMemcpyToSymbolAsync(coefficients, filter, sizeof(coefficients), 0, cudaMemcpyDeviceToDevice);
  const int tiles = ((columns + TILE_X - 1) / TILE_X) * ((rows + TILE_Y - 1) / TILE_Y);
  const uintptr_t addresses = reinterpret_cast<uintptr_t>(input) | reinterpret_cast<uintptr_t>(output);
  if (columns % 4 == 0 && addresses % sizeof(float4) == 0) {
    convolution_kernel<float4, 4><<<tiles, dim3(TILE_X / 4, 4)>>>(input, output, rows, columns);
  } else {
    convolution_kernel<float, 2><<<tiles, dim3(TILE_X, 2)>>>(input, output, rows, columns);
  }
}
