// SPDX-License-Identifier: Apache-2.0
// mistake: N's tiles alternate between two buffers, which makes one barrier a step enough for them, but M has one tile
//   only: at the start of the next phase a warp overwrites Mds while another warp still multiplies with it in the last
//   step of the phase before. A race for every width above 32.
// want: Step 4 of a phase: a warp is done and goes on to the next phase. What does it write before it meets a barrier,
//   and who may still read that?
#include "coarsened_matmul.h"

constexpr int T = 32;
constexpr int kTiles = 4;

__global__ void coarsened_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* P,
                                        int width) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[2][T][T];  // loaded in turn: one barrier a step

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col0 = blockIdx.x * T * kTiles + tx;

  float sums[kTiles] = {0.0f, 0.0f, 0.0f, 0.0f};
  int buffer = 0;

  const int phases = (width + T - 1) / T;
  for (int phase = 0; phase < phases; ++phase) {
    const int k0 = phase * T;
    Mds[ty][tx] = (row < width && k0 + tx < width) ? M[row * width + k0 + tx] : 0.0f;

#pragma unroll
    for (int c = 0; c < kTiles; ++c) {
      const int col = col0 + c * T;
      Nds[buffer][ty][tx] = (k0 + ty < width && col < width) ? N[(k0 + ty) * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < T; ++k) {
        sums[c] = fmaf(Mds[ty][k], Nds[buffer][k][tx], sums[c]);
      }
      buffer ^= 1;
    }
  }

  if (row >= width) return;
#pragma unroll
  for (int c = 0; c < kTiles; ++c) {
    if (col0 + c * T < width) P[row * width + col0 + c * T] = sums[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + T * kTiles - 1) / (T * kTiles), (width + T - 1) / T);
  coarsened_matmul_kernel<<<grid, dim3(T, T)>>>(M, N, P, width);
}
