// SPDX-License-Identifier: Apache-2.0
// mistake: double buffering with the barrier before the sum only: in the next phase a fast warp loads into the buffer
//   from which a slow one still adds (from three phases on). A second barrier, or the load after the barrier, is missing.
// want: Which buffer do you load in phase p + 1, and who may still be reading it? Between a warp's last read of a buffer
//   and the first store of the next load into it there has to be a barrier.
#include "tiled_matmul.h"

#define T 16

// element or 0
__device__ float fetch(const float* X, int r, int c, int w) { return (r < w && c < w) ? X[r * w + c] : 0.f; }

// while tile p is used, tile p+1 is already on its way (ping pong)
__global__ void mm_pingpong(const float* M, const float* N, float* P, int w) {
  __shared__ float A[2][T][T];
  __shared__ float B[2][T][T];

  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y;
  int col = blockIdx.x * T + x;
  int n = (w + T - 1) / T;

  // first tile
  A[0][y][x] = fetch(M, row, x, w);
  B[0][y][x] = fetch(N, y, col, w);

  float acc = 0.f;
  for (int p = 0; p < n; p++) {
    int cur = p & 1;
    if (p + 1 < n) {
      A[cur ^ 1][y][x] = fetch(M, row, (p + 1) * T + x, w);
      B[cur ^ 1][y][x] = fetch(N, (p + 1) * T + y, col, w);
    }
    __syncthreads();  // both buffers are complete

    for (int i = 0; i < T; i++) acc += A[cur][y][i] * B[cur][i][x];
  }

  if (row < w && col < w) P[row * w + col] = acc;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  int n = (width + T - 1) / T;
  mm_pingpong<<<dim3(n, n), dim3(T, T)>>>(M, N, P, width);
}
