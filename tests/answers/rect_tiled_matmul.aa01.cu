// SPDX-License-Identifier: Apache-2.0
// mistake: P is zeroed by cudaMemset for every k, and up to four blocks add their parts to it with atomicAdd. The
//   contract allows the memset where k is 0 only; otherwise kernels alone may write P. It shows for every call
//   with k > 0, for instance j = k = l = 16. The values are right (up to the order of the additions).
// want: Who writes each element of P first in your version, and for which k does the header allow that?
#include "rect_tiled_matmul.h"

#define TILE 16
#define MAX_PARTS 4

// blockIdx.z: which part of k's phases
__global__ void split_k(const float* M, const float* N, float* P, int j, int k, int l, int phases_each) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  const int from = blockIdx.z * phases_each * TILE;
  const int to = min(k, from + phases_each * TILE);

  float sum = 0.0f;
  for (int i0 = from; i0 < to; i0 += TILE) {
    const int mi = i0 + threadIdx.x;
    const int ni = i0 + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = (row < j && mi < k) ? M[row * k + mi] : 0.0f;
    b[threadIdx.y][threadIdx.x] = (ni < k && col < l) ? N[ni * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }

  // several blocks have a part of this element
  if (row < j && col < l) atomicAdd(&P[row * l + col], sum);
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  cudaMemset(P, 0, sizeof(float) * j * l);
  if (k == 0) return;

  const int phases = (k + TILE - 1) / TILE;
  const int parts = phases < MAX_PARTS ? phases : MAX_PARTS;
  const int each = (phases + parts - 1) / parts;
  dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE, parts);
  split_k<<<grid, dim3(TILE, TILE)>>>(M, N, P, j, k, l, each);
}
