// SPDX-License-Identifier: Apache-2.0
// mistake: A thread stores two elements of P, 16 rows apart, and both stores are guarded by the upper row only. Case: j
//   1, k 1, l 1: thread (0, 0) stores P[16], past P's end; j 40: rows 48 to 55 are stored. Where 32 divides j, all is
//   right. (M's tile stands transposed in shared memory, on purpose and rightly.)
// want: Take j = 40 and the last block from top to bottom: which two rows does thread (0, 0) store, and do both exist?
#include "rect_tiled_matmul.h"

#define TILE 16

__global__ void rect_tiled_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  // [i][row]: a thread wants rows ty and ty + 16 at the same i
  __shared__ float Mt[TILE][2 * TILE + 1];
  __shared__ float Ns[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * (2 * TILE) + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum0 = 0.0f;
  float sum1 = 0.0f;
  int left = k;  // products that are still to come
  while (left > 0) {
    const int done = k - left;
    const int depth = left < TILE ? left : TILE;

    Mt[tx][ty] = tx < depth && row < j ? M[row * k + done + tx] : 0.0f;
    Mt[tx][ty + TILE] = tx < depth && row + TILE < j ? M[(row + TILE) * k + done + tx] : 0.0f;
    Ns[ty][tx] = ty < depth && col < l ? N[(done + ty) * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < depth; ++i) {
      sum0 += Mt[i][ty] * Ns[i][tx];
      sum1 += Mt[i][ty + TILE] * Ns[i][tx];
    }
    __syncthreads();
    left -= depth;
  }

  if (row < j && col < l) {
    P[row * l + col] = sum0;
    P[(row + TILE) * l + col] = sum1;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  const dim3 block(TILE, TILE);
  const dim3 grid((l + TILE - 1) / TILE, (j + 2 * TILE - 1) / (2 * TILE));
  rect_tiled_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
