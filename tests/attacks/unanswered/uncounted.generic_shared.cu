// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// A tile without padding, reached through a generic pointer that the compiler cannot trace: ld and st without .shared.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns, int zero) {
  __shared__ float tile[1024];
  float* t = zero ? Y : tile;
  asm volatile("" : "+l"(t));
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  float v = 0;
  if (r < rows && c < columns) {
    v = X[r * columns + c];
    asm volatile("st.f32 [%0], %1;" ::"l"(t + ty * 32 + tx), "f"(v) : "memory");
  }
  __syncthreads();
  r = blockIdx.x * 32 + ty;
  c = blockIdx.y * 32 + tx;
  if (r < columns && c < rows) {
    asm volatile("ld.f32 %0, [%1];" : "=f"(v) : "l"(t + tx * 32 + ty) : "memory");
    Y[r * rows + c] = v;
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns, 0);
}
