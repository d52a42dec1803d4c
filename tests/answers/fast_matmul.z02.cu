// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the operands in registers are double-buffered and indexed by cur, which is known only at run time in
//   the loop that is not unrolled, so that a and b lie in local memory (at any width). And what lies outside of M and N is
//   not set to 0 when it is fetched: pm and pn then keep the values of the phase before (width 48: in the second phase,
//   k 48 to 63 are still M's columns and N's rows 16 to 31, whose products are added twice).
// want: Let width be 48. What does pm[0] of the thread with tid 31 hold after the second call of fetch, and who put it there?
//   (Afterwards look at the compiler's report: is there a stack frame, and can a register be chosen by a number?)
#include "fast_matmul.h"

#define TILE 64
#define DEPTH 32
#define PAD 4

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[2][TILE][DEPTH + PAD];
  __shared__ __align__(16) float Ns[2][DEPTH][TILE];

  const int tid = threadIdx.x;
  const int tx = tid % 16, ty = tid / 16;
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

  float pm[8] = {}, pn[8] = {};  // on their way from global memory

  auto fetch = [&](int k0) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int r = top + tid / 32 + 8 * j, k = k0 + tid % 32;
      if (r < width && k < width) pm[j] = M[r * width + k];
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int k = k0 + tid / 64 + 4 * j, c = left + tid % 64;
      if (k < width && c < width) pn[j] = N[k * width + c];
    }
  };
  auto put = [&](int s) {
#pragma unroll
    for (int j = 0; j < 8; ++j) Ms[s][tid / 32 + 8 * j][tid % 32] = pm[j];
#pragma unroll
    for (int j = 0; j < 8; ++j) Ns[s][tid / 64 + 4 * j][tid % 64] = pn[j];
  };

  float acc[4][4] = {};
  const int phases = (width + DEPTH - 1) / DEPTH;

  fetch(0);
  put(0);
  __syncthreads();

  for (int p = 0; p < phases; ++p) {
    const int s = p & 1;
    if (p + 1 < phases) fetch((p + 1) * DEPTH);

    // Four k at a time: a[.][i] are four neighbours of row i of M, b[.][q] four of row q of N. The next ones
    // are read while these are multiplied.
    float4 a[2][4], b[2][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      a[0][i] = *(const float4*)&Ms[s][ty * 4 + i][0];
      b[0][i] = *(const float4*)&Ns[s][i][tx * 4];
    }
#pragma unroll 1
    for (int k = 0; k < DEPTH; k += 4) {
      const int cur = (k / 4) & 1;
      if (k + 4 < DEPTH) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          a[cur ^ 1][i] = *(const float4*)&Ms[s][ty * 4 + i][k + 4];
          b[cur ^ 1][i] = *(const float4*)&Ns[s][k + 4 + i][tx * 4];
        }
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float m[4] = {a[cur][i].x, a[cur][i].y, a[cur][i].z, a[cur][i].w};
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          acc[i][0] += m[q] * b[cur][q].x;
          acc[i][1] += m[q] * b[cur][q].y;
          acc[i][2] += m[q] * b[cur][q].z;
          acc[i][3] += m[q] * b[cur][q].w;
        }
      }
    }

    if (p + 1 < phases) put(s ^ 1);  // nobody reads that one now
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = top + ty * 4 + i, c = left + tx * 4 + j;
      if (r < width && c < width) P[r * width + c] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
