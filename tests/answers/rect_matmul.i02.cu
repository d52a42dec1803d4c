// SPDX-License-Identifier: Apache-2.0
// mistake: reads N as float4, four columns a thread. The check that four columns exist is right, but a float4 must lie
//   at a multiple of 16 bytes, and row i of N begins at i * l: where 4 does not divide l, l is more than 4 and k at
//   least 2, rows begin elsewhere and the load is misaligned.
// want: With l = 5, at which byte does row 1 of N begin? Which addresses may a load of 16 bytes have?
#include "rect_matmul.h"

// four neighbours at once
__device__ float4 four(const float* p) { return *reinterpret_cast<const float4*>(p); }

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= j || col >= l) return;

  if (col + 3 < l) {
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < k; ++i) {
      const float m = M[row * k + i];
      const float4 n = four(N + i * l + col);
      sum.x += m * n.x;
      sum.y += m * n.y;
      sum.z += m * n.z;
      sum.w += m * n.w;
    }
    float* p = P + row * l + col;
    p[0] = sum.x;
    p[1] = sum.y;
    p[2] = sum.z;
    p[3] = sum.w;
  } else {
    // fewer than four are left
    for (int c = col; c < l; ++c) {
      float sum = 0.0f;
      for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + c];
      P[row * l + c] = sum;
    }
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(16, 16);
  const int quads = (l + 3) / 4;
  const dim3 grid((quads + 15) / 16, (j + 15) / 16);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
