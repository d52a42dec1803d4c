// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the number of phases comes from j instead of k: j = 16, k = 40, l = 16 does one phase of
//   three, and P lacks the products with i >= 16. And sum is not set back to 0 for a block's second tile: j =
//   32, one row of blocks: rows 16 to 31 of P get the sums of rows 0 to 15 added.
// want: Two things. Along which side do the phases walk? And what is in sum when a block begins its second tile?
#include "rect_tiled_transposed.h"

#define TW 16

// Each block has two tiles of P, the second gridDim.y tiles below the first.
__global__ void two_tiles(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TW][TW + 1];  // +1: it is written by columns
  __shared__ float Nds[TW][TW];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TW + tx;
  const int phases = (j + TW - 1) / TW;  // j: the length of a row of Mt

  float sum = 0.0f;
  for (int top = blockIdx.y * TW; top < j; top += gridDim.y * TW) {
    for (int phase = 0; phase < phases; ++phase) {
      const int i = phase * TW + ty;
      // read along Mt's row, put down as M's column
      Mds[tx][ty] = i < k && top + tx < j ? Mt[i * j + top + tx] : 0.0f;
      Nds[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
      __syncthreads();
      for (int d = 0; d < TW; ++d) sum += Mds[ty][d] * Nds[d][tx];
      __syncthreads();
    }
    if (top + ty < j && col < l) P[(top + ty) * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  if (k == 0) {
    cudaMemset(P, 0, (size_t)j * l * sizeof(float));
    return;
  }
  const int down = (j + TW - 1) / TW;
  two_tiles<<<dim3((l + TW - 1) / TW, (down + 1) / 2), dim3(TW, TW)>>>(Mt, N, P, j, k, l);
}
