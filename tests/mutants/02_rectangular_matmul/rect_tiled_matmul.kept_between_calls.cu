// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the padding of a buffer is zero in the first call only.
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// M with rows of whole tiles. It is set to zero when it is allocated, and kept for later calls.
static float* padded = nullptr;
static size_t room = 0;

__global__ void pad_kernel(const float* M, float* wide, int j, int k, int pitch) {
  const int col = blockIdx.x * TILE_WIDTH + threadIdx.x;
  const int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  if (row < j && col < k) wide[row * pitch + col] = M[row * k + col];
}

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l,
                                         int pitch) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  // The side that M and N share. With k == 0 there is no phase, and the sum stays 0.
  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;  // of M: below k
    const int n_row = phase * TILE_WIDTH + ty;  // of N: below k

    Mds[ty][tx] = row < j ? M[row * pitch + m_col] : 0.0f;
    // Past the last row the last one comes again: it meets the zeros behind M.
    Nds[ty][tx] = col < l ? N[(n_row < k ? n_row : k - 1) * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // A launch with an empty grid is an error. k == 0 is no reason to leave: then all of P is 0.
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const int pitch = (k + TILE_WIDTH - 1) / TILE_WIDTH * TILE_WIDTH;
  const size_t needed = sizeof(float) * j * pitch;
  if (needed > room) {
    cudaFree(padded);
    cudaMalloc(&padded, needed);
    cudaMemset(padded, 0, needed);
    room = needed;
  }
  if (k > 0)
    pad_kernel<<<dim3(pitch / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH), block>>>(M, padded, j, k,
                                                                                       pitch);

  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(padded, N, P, j, k, l, pitch);
}
