// SPDX-License-Identifier: Apache-2.0
// mistake: a thread stores two elements, in columns col and col + 16, and asks only whether the first column exists.
//   At width 17 the thread with row 0 and col 1 stores its second sum to index 0 * 17 + 17, which is P[1][0] (a race
//   with the thread that P[1][0] belongs to), and in the last row the store goes past P. Wrong wherever 32 does not
//   divide width. The loads are all checked rightly.
// want: Each thread stores two elements of P. Do both exist whenever the first does? Take width 17 and the thread with
//   tx = 1, and write down both indices.
#include "tiled_matmul.h"

#define W 16

// A block makes 16 rows x 32 columns of P: thread (tx, ty) the columns tx and tx + 16. M's tile is used twice.
__global__ void two_columns(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[W][W];
  __shared__ float Ns[W][2 * W];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * W + ty;
  const int col = blockIdx.x * 2 * W + tx;

  float left = 0.0f;
  float right = 0.0f;
  for (int start = 0; start < width; start += W) {
    const bool n_row_ok = start + ty < width;
    Ms[ty][tx] = row < width && start + tx < width ? M[row * width + start + tx] : 0.0f;
    Ns[ty][tx] = n_row_ok && col < width ? N[(start + ty) * width + col] : 0.0f;
    Ns[ty][tx + W] = n_row_ok && col + W < width ? N[(start + ty) * width + col + W] : 0.0f;
    __syncthreads();
    for (int i = 0; i < W; ++i) {
      const float m = Ms[ty][i];
      left += m * Ns[i][tx];
      right += m * Ns[i][tx + W];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = left;
    P[row * width + col + W] = right;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(W, W);
  const dim3 grid((width + 2 * W - 1) / (2 * W), (width + W - 1) / W);
  two_columns<<<grid, block>>>(M, N, P, width);
}
