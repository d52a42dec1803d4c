// SPDX-License-Identifier: Apache-2.0
// mistake: an element outside of M is not replaced by 0: an element of the same row is loaded instead (index
//   taken modulo width) and multiplied by 0. Where it is infinite, infinity x 0 is NaN. With width 17 and
//   M[0][3] infinite, in the second phase (m_col 20, 20 % 17 = 3) NaN comes into row 0's tile, and all of P's
//   row 0 is NaN instead of infinite. (The spare phase where 16 divides width does the same.)
// want: which values may M hold? For which of them is v * 0.0f not 0?
#include "tiled_matmul.h"

constexpr int T = 16;

// All indices are kept legal with %, and a factor of 0 or 1 wipes out what should not count.
__global__ void mm(const float* M, const float* N, float* P, int width) {
  __shared__ float a[T * T];
  __shared__ float b[T * T];
  const int tx = threadIdx.x % T;
  const int ty = threadIdx.x / T;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  // One phase more than whole tiles: it takes the rest, if there is any.
  for (int p = 0; p < width / T + 1; ++p) {
    const int mc = p * T + tx;
    const int nr = p * T + ty;
    const float useM = (row < width) & (mc < width);
    const float useN = (nr < width) & (col < width);
    a[threadIdx.x] = useM * M[(row % width) * width + mc % width];
    b[threadIdx.x] = useN * N[(nr % width) * width + col % width];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) sum += a[ty * T + k] * b[k * T + tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  mm<<<dim3(tiles, tiles), T * T>>>(M, N, P, width);
}
