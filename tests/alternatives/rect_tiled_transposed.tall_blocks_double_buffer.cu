// SPDX-License-Identifier: Apache-2.0
// differs: blocks of 32 x 8 compute tiles of 8 x 32; the next phase's elements wait in registers, two buffers, one
// barrier in a phase.

#include "rect_tiled_transposed.h"

namespace {

constexpr int X = 32, Y = 8;

__global__ void piped(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[2][X][Y];  // [i][row of the tile]
  __shared__ float b[2][X][X];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * X + tx;
  const int top = blockIdx.y * Y, left = blockIdx.x * X;
  const int ai = t / Y, ar = t % Y;  // eight neighbours in a row of Mt: a whole sector

  float next_a = 0, next_b[X / Y];
  const auto fetch = [&](int first) {
    next_a = first + ai < k && top + ar < j ? Mt[(first + ai) * j + top + ar] : 0.0f;
#pragma unroll
    for (int e = 0; e < X / Y; ++e) {
      const int i = first + ty + e * Y;
      next_b[e] = i < k && left + tx < l ? N[i * l + left + tx] : 0.0f;
    }
  };

  float sum = 0.0f;
  if (k > 0) fetch(0);
  for (int first = 0, use = 0; first < k; first += X, use ^= 1) {
    a[use][ai][ar] = next_a;
#pragma unroll
    for (int e = 0; e < X / Y; ++e) b[use][ty + e * Y][tx] = next_b[e];
    __syncthreads();
    if (first + X < k) fetch(first + X);
#pragma unroll 8
    for (int i = 0; i < X; ++i) sum += a[use][i][ty] * b[use][i][tx];
  }
  if (top + ty < j && left + tx < l) P[(top + ty) * l + left + tx] = sum;
}

}  // namespace

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  const dim3 grid((l + X - 1) / X, (j + Y - 1) / Y);
  if (grid.x * grid.y != 0) piped<<<grid, dim3(X, Y)>>>(Mt, N, P, j, k, l);
}
