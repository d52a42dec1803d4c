// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the stores of all four tiles are checked with the column of the first: columns past the edge are
//   stored into the next row of P. (2) width / span + 1 blocks across: at multiples of 128 a column of blocks
//   without any tile loads M once more.
// want: where does P[row * width + col] lie when col >= width? Each store needs the check of its own column.
//   After that: how many blocks does width 256 need across, and what do the others load?
#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kFactor = 4;
constexpr int kSpan = kTile * kFactor;  // columns of P, for a block

// P = M x N, all width x width, row by row.
template <int FACTOR>
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[FACTOR][kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int first_col = blockIdx.x * kTile * FACTOR + tx;

  float sum[FACTOR] = {};
  for (int start = 0; start < width; start += kTile) {
    // All tiles of the phase at once: two barriers are enough.
    Mds[ty][tx] = row < width && start + tx < width ? M[row * width + start + tx] : 0.0f;
#pragma unroll
    for (int c = 0; c < FACTOR; ++c) {
      const int col = first_col + c * kTile;
      Nds[c][ty][tx] = start + ty < width && col < width ? N[(start + ty) * width + col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < kTile; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < FACTOR; ++c) {
        sum[c] += m * Nds[c][k][tx];
      }
    }
    __syncthreads();
  }

  if (row < width && first_col < width) {
#pragma unroll
    for (int c = 0; c < FACTOR; ++c) {
      P[row * width + first_col + c * kTile] = sum[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(kTile, kTile);
  const dim3 grid(width / kSpan + 1, (width + kTile - 1) / kTile);
  coarsened_matmul_kernel<kFactor><<<grid, block>>>(M, N, P, width);
}
