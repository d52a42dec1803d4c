// SPDX-License-Identifier: Apache-2.0
// mistake: gives each thread four neighbouring columns, 4 * tx + c, instead of one in each tile: in each step a warp
//   loads elements of N that are 16 bytes apart, 16 sectors for what fits into 4. P is right, but at width 128 about
//   34800 sectors are loaded, more than the 20480 allowed.
// want: c = 0: which columns of N do lanes 0, 1 and 2 load? How many of the 8 floats of a sector does this load use?
//   Which columns should a thread own, so that lanes are neighbours in each step?
#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kFactor = 4;

__global__ void coarsened_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N,
                                        float* __restrict__ P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[kTile][kTile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int first_col = (blockIdx.x * kTile + tx) * kFactor;  // this one and the next three

  const auto at = [width](const float* matrix, int r, int c) {
    return r < width && c < width ? matrix[r * width + c] : 0.0f;
  };

  float sum[kFactor] = {};
  for (int start = 0; start < width; start += kTile) {
    Mds[ty][tx] = at(M, row, start + tx);

#pragma unroll
    for (int c = 0; c < kFactor; ++c) {
      Nds[ty][tx] = at(N, start + ty, first_col + c);
      __syncthreads();
      for (int k = 0; k < kTile; ++k) {
        sum[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < kFactor; ++c) {
    if (row < width && first_col + c < width) P[row * width + first_col + c] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int across = kTile * kFactor;
  const dim3 grid((width + across - 1) / across, (width + kTile - 1) / kTile);
  coarsened_matmul_kernel<<<grid, dim3(kTile, kTile)>>>(M, N, P, width);
}
