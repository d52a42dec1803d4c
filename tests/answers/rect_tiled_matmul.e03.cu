// SPDX-License-Identifier: Apache-2.0
// mistake: for k = 0 P is set to zero with cudaMemset, which counts bytes; it is given the number of elements.
//   Only the first quarter of P becomes zero.
// want: Everything with k above 0 is right. In your path for k = 0: in which unit does that call count, and
//   how many elements of P does it reach?

#include "rect_tiled_matmul.h"

template <int TILE>
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int first = 0; first < k; first += TILE) {
    const int m_col = first + tx;
    const int n_row = first + ty;
    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

template <int TILE>
static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
  const dim3 block(TILE, TILE);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_matmul_kernel<TILE><<<grid, block>>>(M, N, P, j, k, l);
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // P has no element

  if (k == 0) {  // sums of nothing
    const size_t size = (size_t)j * l;
    cudaMemset(P, 0, size);
    return;
  }

  // large tiles only where they are filled
  if (j >= 32 && l >= 32) {
    launch<32>(M, N, P, j, k, l);
  } else {
    launch<16>(M, N, P, j, k, l);
  }
}
