// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is copied in a stream of its own, made with cudaStreamNonBlocking, and the kernel runs in
//   the default stream. Nothing orders the two: the kernel may start before the new coefficients are there (wrong
//   on the first call or with a new filter), and the copy of the next call may change the filter of a kernel that
//   still runs.
// want: What makes the kernel wait for the copy? Two operations in different streams: which comes first?

#include "convolution.h"

#define FW (2 * kRadius + 1)
#define TILE 32
#define BLOCK_Y 8
#define TILE_IN (TILE + 2 * kRadius)

__constant__ float F[FW][FW];

__global__ void conv_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[TILE_IN][TILE_IN];
  for (int y = threadIdx.y; y < TILE_IN; y += BLOCK_Y) {
    for (int x = threadIdx.x; x < TILE_IN; x += TILE) {
      const int r = (int)blockIdx.y * TILE + y - kRadius;
      const int c = (int)blockIdx.x * TILE + x - kRadius;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  const int c = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_Y) {
    const int r = blockIdx.y * TILE + y;
    if (r >= rows || c >= columns) continue;
    float sum = 0.0f;
    for (int i = 0; i < FW; i++) {
      for (int j = 0; j < FW; j++) sum += F[i][j] * tile[y + i][threadIdx.x + j];
    }
    output[r * columns + c] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  // the copy overlaps with the launch
  static cudaStream_t copy_stream = nullptr;
  if (copy_stream == nullptr) cudaStreamCreateWithFlags(&copy_stream, cudaStreamNonBlocking);
  cudaMemcpyToSymbolAsync(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice, copy_stream);

  dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conv_kernel<<<grid, dim3(TILE, BLOCK_Y)>>>(input, output, rows, columns);
}
