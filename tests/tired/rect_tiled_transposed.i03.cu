// SPDX-License-Identifier: Apache-2.0
// mistake: turns both loads. Mt is now read along its rows, but N, which was read along its rows before, is read down
//   its columns: tx chooses N's row. The values are right; the sectors loaded still have more than 1.45 times the bytes
//   that the threads ask for.
// want: Your load of Mt is good now. Ask the same of N: threads 0, 1 and 2 of a warp, which elements of N do they
//   read? Was that so in the starter?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

template <int W>
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float ms[W][W + 1];
  __shared__ float ns[W][W + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * W;
  const int left = blockIdx.x * W;

  float sum = 0.0f;
  for (int p = 0; p < k; p += W) {
    // M comes transposed, so x and y change places in the loads
    const int mi = p + ty, mr = top + tx;
    const int ni = p + tx, nc = left + ty;
    ms[tx][ty] = mi < k && mr < j ? Mt[mi * j + mr] : 0.0f;
    ns[tx][ty] = ni < k && nc < l ? N[ni * l + nc] : 0.0f;
    __syncthreads();

    for (int i = 0; i < W; ++i) {
      sum += ms[ty][i] * ns[i][tx];
    }
    __syncthreads();
  }

  if (top + ty < j && left + tx < l) {
    P[(top + ty) * l + left + tx] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<TILE_WIDTH><<<grid, block>>>(Mt, N, P, j, k, l);
}
