// SPDX-License-Identifier: Apache-2.0
// differs: only N is tiled. A lane has 16 rows x 4 columns of P, reads four columns of N's tile as a float4 and loads the
// elements of M, which are the same for all lanes of the warp, straight from global memory. Tiles lie in 4096 bytes.

#include "repair_tiled_matmul.h"

#define ROWS 16
#define DEEP 8

__global__ void only_n(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Nds[DEEP][32];
  const int lane = threadIdx.x, top = blockIdx.y * ROWS, left = blockIdx.x * 128;
  float sum[ROWS][4] = {};
  for (int first = 0; first < width; first += DEEP) {
    for (int i = 0; i < DEEP * 4; ++i) {
      const int step = first + i / 4, col = left + i % 4 * 32 + lane;
      reinterpret_cast<float*>(Nds)[i * 32 + lane] = step < width && col < width ? N[step * width + col] : 0.0f;
    }
    __syncwarp();
    for (int k = 0; k < DEEP && first + k < width; ++k) {
      const float4 n = Nds[k][lane];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        if (top + r >= width || left + lane * 4 >= width) break;
        const float m = M[(top + r) * width + first + k];
        sum[r][0] += m * n.x;
        sum[r][1] += m * n.y;
        sum[r][2] += m * n.z;
        sum[r][3] += m * n.w;
      }
    }
    __syncwarp();
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const int row = top + r, col = left + lane * 4 + c;
      if (row < width && col < width) P[row * width + col] = sum[r][c];
    }
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  only_n<<<dim3((width + 127) / 128, (width + ROWS - 1) / ROWS), 32>>>(M, N, P, width);
}
