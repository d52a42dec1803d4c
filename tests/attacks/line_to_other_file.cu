// SPDX-License-Identifier: Apache-2.0
// verdict: finding
// says: line_to_other_file.cu:15 | p[-5000000] = 1;
// #line puts faults into other files: they are shown where they are.
#include "tiled_matmul.h"
__global__ void product(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; row < width && col < width && k < width; ++k) sum += M[row * width + k] * N[k * width + col];
  if (row < width && col < width) P[row * width + col] = sum;
}

#line 1 "/etc/passwd"
__global__ void k(float* p) {
  p[-5000000] = 1;
}
#define SUITE "tiled_matmul_suite.cc"
#line 40 SUITE
__global__ void k2(float* p) {
  p[5000000] = 1;
}
#line 7 "tiled_matmul.h"
static int never_used;

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (M == N || width == 0) return;
  product<<<dim3((width + 15) / 16, (width + 15) / 16), dim3(16, 16)>>>(M, N, P, width);
  k<<<1, 1>>>(P);
  k2<<<1, 1>>>(P);
}
