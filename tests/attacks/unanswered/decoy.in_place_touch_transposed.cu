// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_transposed
// verdict: not passed
// must not: pass
// The uncoalesced starter stores P; a second kernel with good counts reads all inputs well and stores P onto itself.

#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void starter_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // This thread loads M[m_row][m_i].
    // TODO 1: where do threads 0, 1 and 2 of a warp read? Choose m_i and m_row so that tx walks along a row
    // of Mt.
    const int m_i = phase * TILE_WIDTH + tx;
    const int m_row = row;
    Mds[ty][tx] = m_i < k && m_row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    // TODO 2: where is M[row][phase * TILE_WIDTH + i] now?
    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

static void solve(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  starter_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}




// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  // Mts[i][r] holds M[r][i] of the tile: it lies as Mt does, so that loading it needs no turning.
  __shared__ float Mts[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // A row of Mt goes with the rows of P: tx walks along it, so a warp reads two pieces of 64 bytes. ty
    // counts what is added up.
    const int m_i = phase * TILE_WIDTH + ty;
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mts[ty][tx] = m_i < k && m_row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    // All threads of a row of the block read the same Mts[i][ty]: one word for all, no bank conflict.
    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mts[i][ty] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum == 1.25e37f ? sum : P[row * l + col];
  }
}

static void touch(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  solve(Mt, N, P, j, k, l);
  touch(Mt, N, P, j, k, l);
}
