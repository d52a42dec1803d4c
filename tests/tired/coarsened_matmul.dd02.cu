// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile has two buffers in turn, so one barrier a step is enough for it; M's has only one, and it is overwritten at the
//   start of a phase while slower warps still multiply with it in the last step of the phase before: a race, wherever
//   there are two phases (width > 32).
// want: Nds is fine. A fast warp leaves the last step of a phase and stores to Mds: which barrier have the others passed by then,
//   and what may they still be reading?
#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kCoarse = 4;

static __device__ float at(const float* A, int row, int col, int width) {
  return row < width && col < width ? A[row * width + col] : 0.0f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[2][kTile][kTile];  // while one is read the other can be filled

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int first_col = blockIdx.x * kTile * kCoarse + tx;

  float sum[kCoarse] = {};

  for (int phase = 0; phase * kTile < width; ++phase) {
    Mds[ty][tx] = at(M, row, phase * kTile + tx, width);

#pragma unroll
    for (int c = 0; c < kCoarse; ++c) {
      float(*now)[kTile] = Nds[c % 2];
      now[ty][tx] = at(N, phase * kTile + ty, first_col + c * kTile, width);
      __syncthreads();  // one is enough with two buffers
      for (int k = 0; k < kTile; ++k) {
        sum[c] += Mds[ty][k] * now[k][tx];
      }
    }
  }

#pragma unroll
  for (int c = 0; c < kCoarse; ++c) {
    const int col = first_col + c * kTile;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = kTile * kCoarse;
  const dim3 block(kTile, kTile);
  const dim3 grid((width + span - 1) / span, (width + kTile - 1) / kTile);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
