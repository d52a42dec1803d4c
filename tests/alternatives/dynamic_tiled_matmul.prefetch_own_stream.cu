// SPDX-License-Identifier: Apache-2.0
// differs: the next phase's elements are prefetched into registers while the tiles are multiplied; the kernel runs on
// a stream of its own, which the host waits for (the header asks for no stream here).

#include "dynamic_tiled_matmul.h"

struct Pair {
  float m, n;
};

static __device__ Pair fetch(const float* M, const float* N, int width, int row, int col, int m_col, int n_row) {
  return {row < width && m_col < width ? M[row * width + m_col] : 0.0f,
          n_row < width && col < width ? N[n_row * width + col] : 0.0f};
}

__global__ void prefetching(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float both[];
  const int tx = threadIdx.x, ty = threadIdx.y, place = ty * tile + tx, other = tile * tile;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  Pair next = fetch(M, N, width, row, col, tx, ty);
  for (int first = 0; first < width; first += tile) {
    both[place] = next.m;
    both[other + place] = next.n;
    __syncthreads();
    if (first + tile < width) next = fetch(M, N, width, row, col, first + tile + tx, first + tile + ty);
    for (int k = 0; k < tile; ++k) sum += both[ty * tile + k] * both[other + k * tile + tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const int tiles = (width + tile - 1) / tile;
  prefetching<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float), stream>>>(M, N, P, width, tile);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
