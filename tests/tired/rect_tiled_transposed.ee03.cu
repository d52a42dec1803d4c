// SPDX-License-Identifier: Apache-2.0
// mistake: a thread adds up rows ty, ty + 8, ty + 16 and ty + 24 of its tile, but stores them as rows 4 * ty to
//   4 * ty + 3. Within each 32 rows, P's rows are mixed up: row 1 gets the sum of row 8 (0 where j is 2).
//   Only rows 0 and 31 of each tile are right (j = 1 is right).
// want: take thread ty = 0: for which four rows does it add up, and into which four does it store?
#include "rect_tiled_transposed.h"

constexpr int W = 32;  // tile of P: W x W
constexpr int D = 8;   // depth of a phase, and rows of threads

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[D][W];
  __shared__ float Ns[D][W];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * W;
  const int col = blockIdx.x * W + tx;

  float sum[W / D] = {};
  for (int base = 0; base < k; base += D) {
    // A warp is a row of threads: 128 bytes of a row of Mt, 128 bytes of a row of N.
    const int i = base + ty;
    Ms[ty][tx] = i < k && top + tx < j ? Mt[i * j + top + tx] : 0.0f;
    Ns[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    __syncthreads();

    for (int d = 0; d < D; ++d) {
      for (int r = 0; r < W / D; ++r) {
        sum[r] += Ms[d][ty + r * D] * Ns[d][tx];
      }
    }
    __syncthreads();
  }

  for (int r = 0; r < W / D; ++r) {
    const int row = top + ty * (W / D) + r;
    if (row < j && col < l) P[row * l + col] = sum[r];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(W, D);
  const dim3 grid((l + W - 1) / W, (j + W - 1) / W);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
