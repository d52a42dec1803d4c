// SPDX-License-Identifier: Apache-2.0
// verdict: wrong_result
// Each block computes the tile of its index, but stores it as the tile of its turn: right as long as blocks run in the
// order of their indices, which no hardware promises. Its results are floats.
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void take_turns(const float* M, const float* N, float* P, int width, int* turns) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  __shared__ int turn;
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (tx == 0 && ty == 0) turn = atomicAdd(turns, 1);
  const int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float sum = 0.0f;
  for (int first = 0; first < width; first += TILE_WIDTH) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  const int stored_row = turn / gridDim.x * TILE_WIDTH + ty, stored_col = turn % gridDim.x * TILE_WIDTH + tx;
  if (stored_row < width && stored_col < width) P[stored_row * width + stored_col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  int* turns = nullptr;
  cudaMalloc(&turns, sizeof *turns);
  cudaMemset(turns, 0, sizeof *turns);
  take_turns<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width, turns);
  cudaFree(turns);
}
