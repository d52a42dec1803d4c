// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// The first calls of a process get the coarsened kernel, later ones the naive one.

#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

// P = M x N, all width x width, row by row. A block computes COARSE_FACTOR tiles of P that lie side by side,
// a thread one element in each: its columns are TILE_WIDTH apart, so that in each tile the threads of a warp
// still have neighbouring columns.
//
// Four sums cost registers. A block of 1024 threads with more than 32 registers each is alone on its
// multiprocessor, and while it waits at a barrier, nobody works: left to itself, the compiler takes 40, and
// on an H200 the kernel is slower than without coarsening.
__global__ __maxnreg__(32) void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // One sum for each element. Every loop over c has a constant length and is unrolled: the sums live in
  // registers, not in an array in memory.
  float sum[COARSE_FACTOR];
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    sum[c] = 0.0f;
  }

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Outside the loop over c: this is what coarsening saves.
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c * TILE_WIDTH;
      Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();  // both tiles are complete before anybody reads them

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();  // everybody has read N's tile before the next one overwrites it
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) {
      P[row * width + col] = sum[c];
    }
  }
}

static void solve(const float* M, const float* N, float* P, int width) {
  // A block spans COARSE_FACTOR tiles from left to right, and one from top to bottom.
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  static int calls = 0;
  if (calls++ < 2) solve(M, N, P, width);
  else naive(M, N, P, width, width, width);
}
