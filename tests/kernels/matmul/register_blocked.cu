// SPDX-License-Identifier: Apache-2.0
// Each thread computes 4 x 4 elements in registers; tiles are loaded as float4 and the loop is unrolled.
#include "tests/kernels/matmul/matrices.h"

constexpr int kBlock = 32, kInner = 8, kThread = 4;

__global__ __launch_bounds__(64) void matmul(const float* __restrict__ M, const float* __restrict__ N,
                                             float* P, int width) {
  __shared__ float Mds[kInner][kBlock];
  __shared__ float Nds[kInner][kBlock];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8;
  float sums[kThread][kThread] = {};
  for (int first = 0; first < width; first += kInner) {
    const int m_row = t / 2, m_col = t % 2 * 4;
    const float4 m =
        *reinterpret_cast<const float4*>(&M[(blockIdx.y * kBlock + m_row) * width + first + m_col]);
    Mds[m_col][m_row] = m.x;
    Mds[m_col + 1][m_row] = m.y;
    Mds[m_col + 2][m_row] = m.z;
    Mds[m_col + 3][m_row] = m.w;
    const int n_row = t / 8, n_col = t % 8 * 4;
    *reinterpret_cast<float4*>(&Nds[n_row][n_col]) =
        *reinterpret_cast<const float4*>(&N[(first + n_row) * width + blockIdx.x * kBlock + n_col]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kInner; ++k) {
      const float4 a = *reinterpret_cast<const float4*>(&Mds[k][ty * 4]);
      const float4 b = *reinterpret_cast<const float4*>(&Nds[k][tx * 4]);
      const float as[4] = {a.x, a.y, a.z, a.w}, bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < kThread; ++i)
#pragma unroll
        for (int j = 0; j < kThread; ++j) sums[i][j] += as[i] * bs[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kThread; ++i) {
    float* to = &P[(blockIdx.y * kBlock + ty * 4 + i) * width + blockIdx.x * kBlock + tx * 4];
    *reinterpret_cast<float4*>(to) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  }
}

int main() {
  TestProduct(64, 64, 64, [](const float* M, const float* N, float* P, int width, int, int) {
    matmul<<<dim3(width / kBlock, width / kBlock), 64>>>(M, N, P, width);
  });
  return Result();
}
