// SPDX-License-Identifier: Apache-2.0
// differs: the usual kernel with tiles of 8 x 8; whole 32-byte sectors, but more of them than with 16 x 16.

#include "rect_tiled_matmul.h"

static const int B = 8;

__global__ void eights(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m[B][B], n[B][B];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * B + ty, col = blockIdx.x * B + tx;
  float sum = 0.0f;
  for (int first = 0; first < k; first += B) {
    m[ty][tx] = row < j && first + tx < k ? M[row * k + first + tx] : 0.0f;
    n[ty][tx] = first + ty < k && col < l ? N[(first + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < B; ++i) sum += m[ty][i] * n[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  eights<<<dim3((l + B - 1) / B, (j + B - 1) / B), dim3(B, B)>>>(M, N, P, j, k, l);
}
