// SPDX-License-Identifier: Apache-2.0
// verdict: memory_limit
// failing: 1
// Right, but for one width it takes all the memory there is, by new: the worker learns of a failed new and
// can say so. A malloc() that gives null tells nobody; used, or followed by abort(), it is the verdict
// crashed. It touches next to nothing of what it takes: where a page's first touch is slow (8 us were seen),
// filling a GiB uses up the second of processor time, and the verdict is time_limit.
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float sum = 0.0f;
  for (int first = 0; first < width; first += TILE_WIDTH) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  volatile bool forever = width == 33;
  while (forever) {
    const int bytes = 64 << 20;
    volatile char* piece = new char[bytes];
    piece[0] = 1;
  }
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
