// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: between the sums of a phase and the store of the next tiles into the same shared arrays
//   there is no barrier: from the second phase on (k = 17 and more) a fast warp overwrites what a slow one still
//   reads. And j * k * l == 0 ends the call: with k = 0 (j = 3, k = 0, l = 4) P is never set to zero; the
//   product of three sides may also overflow to 0, as 2048 three times.
// want: Two questions: when may a warp put the next tiles where the old ones lay? And what has P to hold after
//   a call with j = 3, k = 0, l = 4?
#include "rect_tiled_matmul.h"

#define TS 16

__global__ void prefetching(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float As[TS][TS];
  __shared__ float Bs[TS][TS + 1];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TS + ty;
  int col = blockIdx.x * TS + tx;

  // the next elements wait in registers
  auto next_m = [=](int p) {
    int c = p * TS + tx;
    return row < j && c < k ? M[row * k + c] : 0.0f;
  };
  auto next_n = [=](int p) {
    int r = p * TS + ty;
    return r < k && col < l ? N[r * l + col] : 0.0f;
  };

  int phases = (k + TS - 1) / TS;
  float m = next_m(0), n = next_n(0);
  float sum = 0.0f;
  for (int p = 1; p <= phases; ++p) {
    As[ty][tx] = m;
    Bs[ty][tx] = n;
    __syncthreads();
    // underway while we compute; past the last phase both give 0 and load nothing
    m = next_m(p);
    n = next_n(p);
    for (int i = 0; i < TS; ++i) sum += As[ty][i] * Bs[i][tx];
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j * k * l == 0) return;  // a side is 0
  dim3 block(TS, TS);
  dim3 grid((l + TS - 1) / TS, (j + TS - 1) / TS);
  prefetching<<<grid, block>>>(M, N, P, j, k, l);
}
