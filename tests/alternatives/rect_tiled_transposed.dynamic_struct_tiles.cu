// SPDX-License-Identifier: Apache-2.0
// differs: both tiles in one struct in dynamic shared memory, tile width 32 with 1024 threads, a grid-stride loop over
// tiles of P; a macro for the checked load; Chinese comments; no newline at the end.

#include <algorithm>

#include "rect_tiled_transposed.h"

#define 宽 32
#define LOAD(matrix, r, rows, c, columns) ((r) < (rows) && (c) < (columns) ? (matrix)[(r) * (columns) + (c)] : 0.0f)

struct Tiles {
  float m[宽][宽];  // 与 Mt 的存放方式相同:第一个下标是求和的下标
  float n[宽][宽];
};

__global__ void all_tiles(const float* Mt, const float* N, float* P, int j, int k, int l) {
  extern __shared__ unsigned char bytes[];
  Tiles& tiles = *reinterpret_cast<Tiles*>(bytes);
  const int tx = threadIdx.x, ty = threadIdx.y;

  const int across = (l + 宽 - 1) / 宽, down = (j + 宽 - 1) / 宽;
  for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
    const int top = tile / across * 宽, left = tile % across * 宽;
    float sum = 0.0f;
    for (int first = 0; first < k; first += 宽) {
      tiles.m[ty][tx] = LOAD(Mt, first + ty, k, top + tx, j);  // 相邻线程读取相邻元素
      tiles.n[ty][tx] = LOAD(N, first + ty, k, left + tx, l);
      __syncthreads();
      for (int i = 0; i < 宽; ++i) sum += tiles.m[i][ty] * tiles.n[i][tx];
      __syncthreads();
    }
    if (top + ty < j && left + tx < l) P[(top + ty) * l + left + tx] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  const int tiles = ((l + 宽 - 1) / 宽) * ((j + 宽 - 1) / 宽);
  if (tiles == 0) return;
  all_tiles<<<std::min(tiles, 5), dim3(宽, 宽), sizeof(Tiles)>>>(Mt, N, P, j, k, l);
}