// SPDX-License-Identifier: Apache-2.0
// differs: a block's 16 groups of 16 threads take one step of a phase each, a thread 4 x 4 elements of the whole tile; the
// groups' sums are added up in shared memory at the end, so that a thread stores one element and computes parts of 16.

#include "tiled_matmul.h"

__global__ void shared_out(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[16][17], Nds[16][16], sums[16][16][16];
  const int t = threadIdx.x, group = t / 16, y = t % 16 / 4 * 4, x = t % 4 * 4, ty = t / 16, tx = t % 16;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum[4][4] = {};
  for (int first = 0; first < width; first += 16) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    float m[4], n[4];
    for (int i = 0; i < 4; ++i) {
      m[i] = Mds[y + i][group];
      n[i] = Nds[group][x + i];
    }
    if (first + group < width) {
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) sum[r][c] += m[r] * n[c];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) sums[group][y + r][x + c] = sum[r][c];
  }
  __syncthreads();
  float all = 0.0f;
  for (int g = 0; g < 16; ++g) all += sums[g][ty][tx];
  if (row < width && col < width) P[row * width + col] = all;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + 15) / 16;
  shared_out<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
