// SPDX-License-Identifier: Apache-2.0
// mistake: the next phase's elements wait in registers while this one is multiplied, but there is only one pair of tiles
//   in shared memory, and no barrier between multiplying and storing the next elements into it: a race.
// want: A warp that is done multiplying stores the next phase's elements: where, and who still reads there? Either wait
//   for all before the store, or have two pairs of tiles.
#include "fast_matmul.h"

#define TILE 128  // of P
#define DEPTH 16  // of a phase
#define PAD 4

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float ms[DEPTH][TILE + PAD];  // transposed: ms[k][row]
  __shared__ __align__(16) float ns[DEPTH][TILE];

  const int tid = threadIdx.x;
  const int tx = tid % 16;
  const int ty = tid / 16;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  // Which elements this thread brings: M in 8 x 32 pieces, N in 2 x 128 pieces.
  const int mk = tid % 8, mr = tid / 8;
  const int nk = tid / 128, nc = tid % 128;

  float acc[8][8] = {};
  float next_m[8], next_n[8];

  const int phases = (width + DEPTH - 1) / DEPTH;

#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int r = row0 + mr + 32 * (e % 4), k = mk + 8 * (e / 4);
    next_m[e] = r < width && k < width ? M[r * width + k] : 0.0f;
    const int kk = nk + 2 * e, c = col0 + nc;
    next_n[e] = kk < width && c < width ? N[kk * width + c] : 0.0f;
  }

  for (int phase = 0; phase < phases; ++phase) {
    // what was fetched in the last round goes into the tiles
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      ms[mk + 8 * (e / 4)][mr + 32 * (e % 4)] = next_m[e];
      ns[nk + 2 * e][nc] = next_n[e];
    }
    __syncthreads();

    // the next ones are on their way while we multiply
    if (phase + 1 < phases) {
      const int k0 = (phase + 1) * DEPTH;
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        const int r = row0 + mr + 32 * (e % 4), k = k0 + mk + 8 * (e / 4);
        next_m[e] = r < width && k < width ? M[r * width + k] : 0.0f;
        const int kk = k0 + nk + 2 * e, c = col0 + nc;
        next_n[e] = kk < width && c < width ? N[kk * width + c] : 0.0f;
      }
    }

#pragma unroll 4
    for (int k = 0; k < DEPTH; ++k) {
      const float4 a0 = *(const float4*)&ms[k][ty * 4];
      const float4 a1 = *(const float4*)&ms[k][64 + ty * 4];
      const float4 b0 = *(const float4*)&ns[k][tx * 4];
      const float4 b1 = *(const float4*)&ns[k][64 + tx * 4];
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += a[i] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = row0 + (i / 4) * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int c = col0 + (j / 4) * 64 + tx * 4 + j % 4;
      if (r < width && c < width) P[r * width + c] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
