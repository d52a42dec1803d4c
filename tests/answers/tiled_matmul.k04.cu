// SPDX-License-Identifier: Apache-2.0
// mistake: loads four floats at once as a float4 wherever all four exist. Where width is no multiple of 4, rows after
//   the first do not begin at a multiple of 16 bytes, and the access is misaligned.
// want: At which address does row 1 begin where width is 17? What does a float4 load ask of its address?
#include "tiled_matmul.h"

#define T 16

// Copies M[row][col .. col+3] into dst, zeros where the matrix has ended.
__device__ void fetch4(const float* A, int row, int col, int width, float* dst) {
  if (row < width && col + 3 < width) {
    const float4 v = *reinterpret_cast<const float4*>(A + row * width + col);
    dst[0] = v.x;
    dst[1] = v.y;
    dst[2] = v.z;
    dst[3] = v.w;
  } else {
    // at the border one by one
    for (int q = 0; q < 4; ++q) {
      dst[q] = (row < width && col + q < width) ? A[row * width + col + q] : 0.0f;
    }
  }
}

__global__ void matmul_vec(const float* M, const float* N, float* P, int width) {
  __shared__ float sM[T][T];
  __shared__ float sN[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int base = 0; base < width; base += T) {
    // 4 threads are enough for a row of 16: the first four fetch M, the last four N
    if (tx < 4) {
      fetch4(M, row, base + 4 * tx, width, &sM[ty][4 * tx]);
    } else if (tx >= 12) {
      const int q = 4 * (tx - 12);
      fetch4(N, base + ty, blockIdx.x * T + q, width, &sN[ty][q]);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < T; ++k) sum += sM[ty][k] * sN[k][tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned g = (width + T - 1) / T;
  matmul_vec<<<dim3(g, g), dim3(T, T)>>>(M, N, P, width);
}
