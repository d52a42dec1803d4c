// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: from phase to phase the pointer into N goes on by 16 * k, but 16 rows of N are 16 * l
//   floats: with k = 20, l = 40 phase 1 reads from N[320 + ...], row 8, and not from N[640 + ...], row 16
//   (with k = 40, l = 20 it leaves N). Right where k = l or k <= 16. And the store checks the index instead of
//   row and column: j = 2, l = 17, thread row 0, column 17 has index 17 < 34 and overwrites P[1][0] with its
//   0, a race with the thread whose element that is. (One barrier for each phase is enough: two buffers.)
// want: How long is a row of N? So how far does n have to go to get 16 rows further down? (Then: which element
//   of P does the thread with row 0 and column 17 store for j = 2, l = 17?)
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const bool has_row = row < j;
  const bool has_col = col < l;
  const float* m = M + row * k + tx;
  const float* n = N + ty * l + col;

  float a = has_row && tx < k ? *m : 0.0f;
  float b = has_col && ty < k ? *n : 0.0f;

  float sum = 0.0f;
  for (int done = 0, buf = 0; done < k; buf ^= 1) {
    Mds[buf][ty][tx] = a;
    Nds[buf][ty][tx] = b;
    __syncthreads();

    // one tile further: M to the right, N down
    done += TILE_WIDTH;
    m += TILE_WIDTH;
    n += TILE_WIDTH * k;
    a = has_row && done + tx < k ? *m : 0.0f;
    b = has_col && done + ty < k ? *n : 0.0f;

    for (int i = 0; i < TILE_WIDTH; ++i) sum += Mds[buf][ty][i] * Nds[buf][i][tx];
  }

  const int at = row * l + col;
  if (at < j * l) P[at] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j < 1 || l < 1) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
