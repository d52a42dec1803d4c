// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Where width is a multiple of 32 a warp loads rows; elsewhere it loads columns of both tiles.

#include "tiled_matmul.h"

__global__ void across(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[32][33], Nds[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * 32, first_col = blockIdx.x * 32;
  const int a = width % 32 == 0 ? ty : tx, b = width % 32 == 0 ? tx : ty;
  float sum = 0.0f;
  for (int first = 0; first < width; first += 32) {
    Mds[a][b] = first_row + a < width && first + b < width ? M[(first_row + a) * width + first + b] : 0.0f;
    Nds[a][b] = first + a < width && first_col + b < width ? N[(first + a) * width + first_col + b] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (first_row + ty < width && first_col + tx < width) P[(first_row + ty) * width + first_col + tx] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  across<<<dim3((width + 31) / 32, (width + 31) / 32), dim3(32, 32)>>>(M, N, P, width);
}
