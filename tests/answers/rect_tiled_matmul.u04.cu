// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a tile of P is only 2 rows high (and 64 wide), so that N is loaded j / 2 times and M l / 64 times:
//   4 x (1/2 + 1/64) = 2.06 bytes for each product, where 2 are allowed; j = k = l = 64 loads 540672 bytes, and
//   524288 is the limit. And M's load does not check the row: for an odd j the last block row reads row j of M, past
//   its end (j = 3, k = 5: M[15] and further of 15 elements). The values are right for every shape; the grid with
//   (side - 1) / size + 1 and one phase for k = 0 are right as well.
// want: How often is each element of N loaded in the whole grid, and how often each of M? (Then: which row of M
//   belongs to the second row of the last block when j is 3?)
#include "rect_tiled_matmul.h"

#define ROWS 2
#define COLS 64
#define DEPTH 16

__host__ __device__ inline int cover(int side, int size) { return (side - 1) / size + 1; }

__global__ void wide_tiles(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[ROWS][DEPTH];
  __shared__ float Ns[DEPTH][COLS];

  const int t = threadIdx.y * COLS + threadIdx.x;
  const int row0 = blockIdx.x * ROWS;
  const int row = row0 + threadIdx.y;
  const int col = blockIdx.y * COLS + threadIdx.x;

  float sum = 0.0f;
  const int phases = cover(k, DEPTH);
  for (int p = 0; p < phases; ++p) {
    const int d = p * DEPTH;
    if (t < ROWS * DEPTH) {  // the first warp brings M's tile
      const int r = t / DEPTH;
      const int c = t % DEPTH;
      Ms[r][c] = d + c < k ? M[(row0 + r) * k + d + c] : 0.0f;
    }
    for (int r = threadIdx.y; r < DEPTH; r += ROWS) {
      Ns[r][threadIdx.x] = d + r < k && col < l ? N[(d + r) * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < DEPTH; ++i) sum += Ms[threadIdx.y][i] * Ns[i][threadIdx.x];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // rows along x; a side of 0 still gives one block, which stores nothing
  wide_tiles<<<dim3(cover(j, ROWS), cover(l, COLS)), dim3(COLS, ROWS)>>>(M, N, P, j, k, l);
}
