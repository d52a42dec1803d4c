// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the number of phases is width / 32, plus one where 16 (not 32) does not divide width; for odd
//   multiples of 16 a phase is missing: width 16 has no phase at all (P = 0), width 48 leaves out columns 32 to 47.
//   And the store of the lower left element (row + 16, col) checks only its row: width 40, block (1, 0), tx = 8 has
//   col 40, and stores its 0 into P[row + 17][0] of the next row, in a race with the right value.
// want: Work out `phases` for width 48 with your formula: which columns of M do these phases cover? (Then look at
//   the four stores: which limits does each of them need?)
#include "tiled_matmul.h"

#define B 16          // threads
#define TILE (2 * B)  // elements: each thread computes 2 x 2 of them

__device__ inline float get(const float* A, int r, int c, int width) {
  if (r < width && c < width) return A[r * width + c];
  return 0.0f;
}

__global__ void tiled_2x2(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[TILE][TILE];
  __shared__ float Ns[TILE][TILE];

  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  int phases = width / TILE + (width % B != 0);
  for (int p = 0; p < phases; p++) {
    int mc = p * TILE + tx;
    int nr = p * TILE + ty;
    Ms[ty][tx] = get(M, row, mc, width);
    Ms[ty][tx + B] = get(M, row, mc + B, width);
    Ms[ty + B][tx] = get(M, row + B, mc, width);
    Ms[ty + B][tx + B] = get(M, row + B, mc + B, width);
    Ns[ty][tx] = get(N, nr, col, width);
    Ns[ty][tx + B] = get(N, nr, col + B, width);
    Ns[ty + B][tx] = get(N, nr + B, col, width);
    Ns[ty + B][tx + B] = get(N, nr + B, col + B, width);
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      float m0 = Ms[ty][k], m1 = Ms[ty + B][k];
      float n0 = Ns[k][tx], n1 = Ns[k][tx + B];
      s00 += m0 * n0;
      s01 += m0 * n1;
      s10 += m1 * n0;
      s11 += m1 * n1;
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = s00;
  if (row < width && col + B < width) P[row * width + col + B] = s01;
  if (row + B < width) {
    P[(row + B) * width + col] = s10;
    if (col + B < width) P[(row + B) * width + col + B] = s11;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  int tiles = (width + TILE - 1) / TILE;
  tiled_2x2<<<dim3(tiles, tiles), dim3(B, B)>>>(M, N, P, width);
}
