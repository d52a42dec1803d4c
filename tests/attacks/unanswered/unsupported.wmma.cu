// SPDX-License-Identifier: Apache-2.0
// exercise: fast_matmul
// verdict: not passed
// must not: grader_fault; pass
// Tensor cores (wmma with half), which may not be known; the values are of lower precision, too.

#include "fast_matmul.h"
#include <mma.h>
using namespace nvcuda;
__global__ void k(float* P) {
  __shared__ half a[256];
  __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += 32) a[i] = __float2half(1.0f);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::fill_fragment(fc, 0.0f);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  __syncthreads();
  P[0] = c[threadIdx.x];
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 32>>>(P);
}
