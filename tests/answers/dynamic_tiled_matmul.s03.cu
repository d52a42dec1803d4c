// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the kernel has a __shared__ int of fixed size (4 bytes) beside the extern array; the contract
//   wants no other shared memory. And the store is guarded by the index alone: a thread with col >= width and
//   row < width - 1 stores its 0 into the next row. With width = 3 and tile = 2, thread (1, 0) of block (1, 0) has
//   row 0, column 3, and stores 0 to P[3], which is P[1][0].
// want: Take width 3 and tile 2 and write down row and col for each thread of block (1, 0). Which of them pass the check
//   before the store, and where do they write?
#include "dynamic_tiled_matmul.h"

__global__ void k_dyn(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  __shared__ int phases;  // the same for all: one thread divides

  // the block is one-dimensional
  const int t = threadIdx.x;
  const int ty = t / tile;
  const int tx = t % tile;
  if (t == 0) phases = (width + tile - 1) / tile;
  __syncthreads();

  float* Mds = tiles;
  float* Nds = tiles + tile * tile;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float sum = 0;
  for (int ph = 0; ph < phases; ph++) {
    const int mc = ph * tile + tx;
    const int nr = ph * tile + ty;
    Mds[t] = 0;
    Nds[t] = 0;
    if (row < width && mc < width) Mds[t] = M[row * width + mc];
    if (nr < width && col < width) Nds[t] = N[nr * width + col];
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += Mds[ty * tile + k] * Nds[k * tile + tx];
    __syncthreads();
  }

  // Only elements that P has.
  const int index = row * width + col;
  if (index < width * width) P[index] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  int tiles = (width + tile - 1) / tile;
  dim3 grid(tiles, tiles);
  k_dyn<<<grid, tile * tile, tile * tile * 8>>>(M, N, P, width, tile);
}
