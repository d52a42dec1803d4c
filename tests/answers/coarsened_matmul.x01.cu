// SPDX-License-Identifier: Apache-2.0
// mistake: N is loaded by float4 wherever four columns exist, also if its rows do not begin at multiples of 16 bytes. Width
//   5: row 1, column 0 is at byte 20, a misaligned address, and the kernel dies. Right only for widths that are multiples
//   of 4 (and below 4).
// want: Width 5: at which byte of N does your float4 of row 1 begin? What does the device ask of that address?
#include "coarsened_matmul.h"

constexpr int TILE = 32;
constexpr int COARSE = 4;
constexpr int SPAN = TILE * COARSE;

__global__ void __launch_bounds__(TILE* TILE) matmul(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ __align__(16) float Nds[TILE][SPAN];  // all four tiles, side by side

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int left = blockIdx.x * SPAN;

  float acc[COARSE] = {};

  for (int k0 = 0; k0 < width; k0 += TILE) {
    Mds[ty][tx] = (row < width && k0 + tx < width) ? M[row * width + k0 + tx] : 0.0f;

    // 32 threads x 4 floats = one row of the four tiles
    const int n_row = k0 + ty;
    const int n_col = left + 4 * tx;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (n_row < width) {
      const float* p = N + n_row * width + n_col;
      if (n_col + 3 < width) {
        v = *reinterpret_cast<const float4*>(p);
      } else {
        if (n_col + 0 < width) v.x = p[0];
        if (n_col + 1 < width) v.y = p[1];
        if (n_col + 2 < width) v.z = p[2];
      }
    }
    *reinterpret_cast<float4*>(&Nds[ty][4 * tx]) = v;
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < TILE; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < COARSE; ++c) acc[c] += m * Nds[k][c * TILE + tx];
    }
    __syncthreads();
  }

  for (int c = 0; c < COARSE; ++c) {
    const int col = left + c * TILE + tx;
    if (row < width && col < width) P[row * width + col] = acc[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + SPAN - 1) / SPAN, (width + TILE - 1) / TILE);
  matmul<<<grid, dim3(TILE, TILE)>>>(M, N, P, width);
}
