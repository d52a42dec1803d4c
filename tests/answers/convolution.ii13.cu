// SPDX-License-Identifier: Apache-2.0
// mistake: The third launch argument is the number of floats of the tile, 1296, but it counts bytes: the block
//   gets a quarter of the shared memory that it uses. Threads write behind it: an illegal access or wrong values,
//   for every input.
// want: What is the unit of the third launch argument? How many bytes does your tile of 36 x 36 floats need?

#include "convolution.h"

#define WIDTH (2 * kRadius + 1)

__constant__ float mask[WIDTH * WIDTH];

template <int kTile, int kThreadsY>
__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  extern __shared__ float tile[];
  constexpr int kSide = kTile + 2 * kRadius;

  const int r0 = blockIdx.y * kTile - kRadius;
  const int c0 = blockIdx.x * kTile - kRadius;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kSide * kSide; i += kTile * kThreadsY) {
    const int r = r0 + i / kSide;
    const int c = c0 + i % kSide;
    tile[i] = (r >= 0 && r < rows && c >= 0 && c < columns) ? input[r * columns + c] : 0.0f;
  }
  __syncthreads();

  const int column = blockIdx.x * kTile + threadIdx.x;
  if (column >= columns) return;
  for (int y = threadIdx.y; y < kTile; y += kThreadsY) {
    const int row = blockIdx.y * kTile + y;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) {
        sum += mask[i * WIDTH + j] * tile[(y + i) * kSide + threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(mask, filter, sizeof(mask), 0, cudaMemcpyDeviceToDevice);
  constexpr int tile = 32;
  constexpr int threads_y = 8;
  const int shared_size = (tile + 2 * kRadius) * (tile + 2 * kRadius);
  const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  convolution_kernel<tile, threads_y><<<grid, dim3(tile, threads_y), shared_size>>>(input, output, rows, columns);
}
