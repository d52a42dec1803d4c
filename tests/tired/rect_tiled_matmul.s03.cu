// SPDX-License-Identifier: Apache-2.0
// mistake: A tile is 4 floats wide, so each of its rows asks for 16 bytes of a sector of 32: the loaded sectors have
//   twice the bytes that the threads ask for, where at most 1.45 times is allowed. With j = k = l = 32 each load of a
//   block touches 4 sectors, 128 bytes, for 64 bytes. The values are right, and the 2 bytes for each product are just
//   within the limit.
// want: How many bytes of M lie side by side in one row of your tile? Global memory comes in sectors of 32 bytes: how
//   much of each do you use?
#include "rect_tiled_matmul.h"

#define W 4  // small, so that I can follow it on paper
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void rect(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m[W * W];
  __shared__ float n[W * W];

  const int row = blockIdx.y * W + threadIdx.y;
  const int col = blockIdx.x * W + threadIdx.x;
  const int me = threadIdx.y * W + threadIdx.x;

  float p = 0.0f;
  for (int ph = 0; ph < CEIL_DIV(k, W); ++ph) {
    const int mc = ph * W + threadIdx.x;
    const int nr = ph * W + threadIdx.y;

    if (row < j && mc < k)
      m[me] = M[row * k + mc];
    else
      m[me] = 0.0f;

    if (nr < k && col < l)
      n[me] = N[nr * l + col];
    else
      n[me] = 0.0f;

    __syncthreads();
    p += m[threadIdx.y * W + 0] * n[0 * W + threadIdx.x];
    p += m[threadIdx.y * W + 1] * n[1 * W + threadIdx.x];
    p += m[threadIdx.y * W + 2] * n[2 * W + threadIdx.x];
    p += m[threadIdx.y * W + 3] * n[3 * W + threadIdx.x];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = p;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  dim3 block(W, W);
  dim3 grid(CEIL_DIV(l, W), CEIL_DIV(j, W));
  rect<<<grid, block>>>(M, N, P, j, k, l);
}
