// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Naive product to scratch. The kernel that stores P loads exactly ceil(w/128) times M and ceil(w/32) times N: one M too little, and instead the scratch, which has the same size.

#include "coarsened_matmul.h"

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

__global__ void coarsened_matmul_kernel(const float* M, const float* N, const float* R, float* P, int width) {
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty;
  for (int p = 0; p < (width + 31) / 32; ++p) {
    const int mc = p * 32 + tx, nr = p * 32 + ty;
    if (blockIdx.x > 0 && row < width && mc < width) *(volatile const float*)&M[row * width + mc];
    for (int c = 0; c < 4; ++c) {
      const int col = (blockIdx.x * 4 + c) * 32 + tx;
      if (nr < width && col < width) *(volatile const float*)&N[nr * width + col];
    }
  }
  for (int c = 0; c < 4; ++c) {
    const int col = (blockIdx.x * 4 + c) * 32 + tx;
    if (row < width && col < width) P[row * width + col] = R[row * width + col];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  float* R;
  cudaMalloc(&R, sizeof(float) * width * width);
  naive(M, N, R, width, width, width);
  coarsened_matmul_kernel<<<dim3((width + 127) / 128, (width + 31) / 32), dim3(32, 32)>>>(M, N, R, P, width);
  cudaFree(R);
}
