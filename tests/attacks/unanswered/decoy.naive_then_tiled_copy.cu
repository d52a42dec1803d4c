// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass
// A naive product into scratch; then a kernel with two tiles in shared memory that moves the result.

#include "rect_tiled_matmul.h"

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, const float* R, float* P, int j, int k, int l) {
  __shared__ float Mds[16][16], Nds[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const bool in = row < j && col < l;
  Mds[threadIdx.y][threadIdx.x] = in ? R[row * l + col] : 0.0f;
  Nds[threadIdx.y][threadIdx.x] = 0.0f;
  __syncthreads();
  float s = 0.0f;
  for (int i = 0; i < 16; ++i) s += Mds[threadIdx.y][i] * Nds[i][threadIdx.x];
  if (in) P[row * l + col] = Mds[threadIdx.y][threadIdx.x] + s * 0.0f;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  float* R;
  cudaMalloc(&R, sizeof(float) * j * l);
  naive(M, N, R, j, k, l);
  rect_tiled_matmul_kernel<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, R, P, j, k, l);
  cudaFree(R);
}
