// SPDX-License-Identifier: Apache-2.0
// mistake: two blocks share each tile of P, each with half of the phases: the first stores its sum, the second adds its own
//   to P with atomicAdd. Nothing makes the second come later. width = 32, all ones: if the second block is first, its 16 is
//   added to whatever P held and then overwritten, and P is 16 instead of 32. Up to width 16 there is one block and all is
//   right.
// want: Blocks (0, 0, 0) and (0, 0, 1) both touch P[0]. What has to be there when the second adds, and who sees to it that
//   it is?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// gridDim.z blocks share the phases of one tile of P.
__global__ void split_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const int share = (phases + gridDim.z - 1) / gridDim.z;
  const int first = blockIdx.z * share;
  const int end = min(first + share, phases);

  float sum = 0.0f;
  for (int phase = first; phase < end; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    float* p = &P[row * width + col];
    if (blockIdx.z == 0) {
      *p = sum;  // the first part
    } else {
      atomicAdd(p, sum);  // the second part comes on top
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles, tiles > 1 ? 2 : 1);
  split_kernel<<<grid, block>>>(M, N, P, width);
}
