// SPDX-License-Identifier: Apache-2.0
// differs: a whole warp computes one element of P: its lanes take every 32nd product, __shfl_down_sync adds them up.

#include "rect_matmul.h"

namespace {

constexpr int kWarps = 4;

__device__ float add_lanes(float value) {
  for (int distance = 16; distance; distance >>= 1) value += __shfl_down_sync(~0u, value, distance);
  return value;
}

__global__ __launch_bounds__(32 * kWarps) void dot_products(const float* M, const float* N, float* P, int j, int k, int l) {
  const int element = blockIdx.x * kWarps + threadIdx.y;
  if (element >= j * l) return;  // a whole warp at a time
  const int row = element / l, col = element - row * l;

  float part = 0.0f;
  for (int i = threadIdx.x; i < k; i += 32) part = fmaf(M[row * k + i], N[i * l + col], part);
  part = add_lanes(part);
  if (threadIdx.x == 0) P[element] = part;
}

}  // namespace

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements > 0) dot_products<<<(elements + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(M, N, P, j, k, l);
}
