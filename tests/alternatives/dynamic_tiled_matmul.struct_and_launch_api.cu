// SPDX-License-Identifier: Apache-2.0
// differs: tiles are structs with operator(), barriers come from cooperative groups, the pitch is blockDim.x instead
// of the argument, the launch is cudaLaunchKernel. Byte order mark, Chinese comments, no newline at the end.

#include <cooperative_groups.h>

#include "dynamic_tiled_matmul.h"

// 共享内存中的一块瓦片。
struct SharedTile {
  float* first;
  unsigned side;
  __device__ float& operator()(unsigned r, unsigned c) const { return first[r * side + c]; }
};

__global__ void with_structs(const float* M, const float* N, float* P, unsigned width) {
  extern __shared__ float memory[];
  const auto block = cooperative_groups::this_thread_block();
  const unsigned side = blockDim.x;
  const SharedTile m{memory, side}, n{memory + side * side, side};  // 一块接着另一块
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * side + y, col = blockIdx.x * side + x;

  float sum = 0.0f;
  for (unsigned start = 0; start < width; start += side) {
    m(y, x) = row < width && start + x < width ? __ldg(M + row * width + start + x) : 0.0f;
    n(y, x) = start + y < width && col < width ? __ldg(N + (start + y) * width + col) : 0.0f;
    block.sync();
    for (unsigned k = 0; k < side; ++k) sum += m(y, k) * n(k, x);
    block.sync();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  unsigned unsigned_width = width;
  const unsigned tiles = (width + tile - 1) / tile;
  void* arguments[4] = {&M, &N, &P, &unsigned_width};
  cudaLaunchKernel(with_structs, dim3(tiles, tiles, 1), dim3(tile, tile, 1), arguments, 2ull * tile * tile * sizeof(float), 0);
}