// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the grid is counted in tiles of 32 also where the kernel with tiles of 8 is launched: then only 8 of each
//   32 rows and columns are covered, and the rest of P is never stored. (2) for k = 0 the memset gets the number of
//   elements where it wants bytes: only the first quarter of P becomes 0.
// want: Take j = k = l = 20: how many blocks do you launch, and how many rows and columns does one of them compute?
//   When that is right, look at k = 0: in which unit does cudaMemset count?

#include "rect_tiled_matmul.h"

template <int T>
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int first = 0; first < k; first += T) {
    Mds[ty][tx] = row < j && first + tx < k ? M[row * k + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < k && col < l ? N[(first + ty) * l + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < T; ++i) {
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
  if (k == 0) {
    cudaMemset(P, 0, (size_t)j * l);
    return;
  }

  const dim3 grid((l + 31) / 32, (j + 31) / 32);
  if (j < 32 || k < 32 || l < 32) {
    // large tiles would be mostly zeros
    rect_tiled_matmul_kernel<8><<<grid, dim3(8, 8)>>>(M, N, P, j, k, l);
  } else {
    rect_tiled_matmul_kernel<32><<<grid, dim3(32, 32)>>>(M, N, P, j, k, l);
  }
}
