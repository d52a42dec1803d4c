// SPDX-License-Identifier: Apache-2.0
// mistake: where no float4 can be loaded, the number of single elements is (l - c) % 4 instead of min(4, l - c): where l
//   is no multiple of 4, all groups of four but the last lose elements of N.
// want: Take l = 6: how many elements does your else branch load at c = 0, and how many should it? All four exist; only
//   the last group is shorter.
#include <cstdint>

#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_vec(const float* M, const float* N, float* P, int j, int k, int l, bool vec) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int t = ty * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE_WIDTH) {
    Mds[ty][tx] = (row < j && start + tx < k) ? M[row * k + start + tx] : 0.0f;

    // N: the first 64 threads bring four neighbours each
    if (t < TILE_WIDTH * TILE_WIDTH / 4) {
      const int r = t / 4;
      const int q = t % 4 * 4;
      const int n_row = start + r;
      const int c = blockIdx.x * TILE_WIDTH + q;
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (n_row < k) {
        const float* src = N + n_row * l + c;
        if (vec && c + 3 < l) {
          v = *reinterpret_cast<const float4*>(src);
        } else {
          // not aligned or at the edge: one by one, the rest stays 0
          const int rest = (l - c) % 4;
          if (rest > 0) v.x = src[0];
          if (rest > 1) v.y = src[1];
          if (rest > 2) v.z = src[2];
          if (rest > 3) v.w = src[3];
        }
      }
      Nds[r][q] = v.x;
      Nds[r][q + 1] = v.y;
      Nds[r][q + 2] = v.z;
      Nds[r][q + 3] = v.w;
    }
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  // float4 needs addresses that are multiples of 16
  const bool vec = l % 4 == 0 && reinterpret_cast<std::uintptr_t>(N) % 16 == 0;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_vec<<<grid, block>>>(M, N, P, j, k, l, vec);
}
