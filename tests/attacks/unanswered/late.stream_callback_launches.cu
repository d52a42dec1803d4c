// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// cudaStreamAddCallback whose callback launches a naive kernel.

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

struct C { const float *M, *N; float* P; int w; };
static void CUDART_CB cb(cudaStream_t, cudaError_t, void* v) { C* c = (C*)v; naive(c->M, c->N, c->P, c->w, c->w, c->w); }

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  cudaStreamAddCallback(0, cb, new C{M, N, P, width}, 0);
}
