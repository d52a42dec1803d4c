// SPDX-License-Identifier: Apache-2.0
// mistake: Where k is 0, cudaMemset gets the number of elements, j * l, and not of bytes: only the first
//   quarter of P becomes zero. j = 4, k = 0, l = 4: P[0] to P[3] are zero, P[4] to P[15] keep what was there.
//   k >= 1 is right (blockIdx.x counting rows of tiles included).
// want: In which unit does cudaMemset count? How many elements of a 4 x 4 matrix P become zero with k = 0?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  // block index like a matrix index: first the row, then the column
  const int row = blockIdx.x * TILE_WIDTH + ty;
  const int col = blockIdx.y * TILE_WIDTH + tx;

  float sum = 0.0f;
  int phase = 0;
  do {
    const int m_col = phase + tx;
    const int n_row = phase + ty;
    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) sum += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
    phase += TILE_WIDTH;
  } while (phase < k);

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  if (k == 0) {
    // sums of nothing
    cudaMemset(P, 0, size_t(j) * l);
    return;
  }
  const auto tiles = [](int side) { return (side + TILE_WIDTH - 1) / TILE_WIDTH; };
  rect_tiled_matmul_kernel<<<dim3(tiles(j), tiles(l)), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, j, k, l);
}
