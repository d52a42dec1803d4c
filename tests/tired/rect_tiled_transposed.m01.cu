// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but neighbouring threads take neighbouring i, that is different rows of Mt: each warp
//   still reads down columns of Mt and fetches four times what it needs there.
// want: Threads 0 and 1 of a warp: how far apart in memory are the elements of Mt that they load? Which of your two
//   coordinates, t % T or t / T, should be the one along a row of Mt?
#include "rect_tiled_transposed.h"

#define T 16

__global__ void transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[T][T + 1];  // [i][row], one more against bank conflicts
  __shared__ float Ns[T][T];      // [i][col]

  const int t = threadIdx.x;  // 256 in one row
  const int lo = t % T;
  const int hi = t / T;
  const int row0 = blockIdx.y * T;
  const int col0 = blockIdx.x * T;

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += T) {
    {  // M: its row is hi, its column (= row of Mt) lo
      const int i = i0 + lo;
      const int r = row0 + hi;
      Ms[lo][hi] = i < k && r < j ? Mt[i * j + r] : 0.0f;
    }
    {  // N
      const int i = i0 + hi;
      const int c = col0 + lo;
      Ns[hi][lo] = i < k && c < l ? N[i * l + c] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < T; ++i) {
      sum += Ms[i][hi] * Ns[i][lo];
    }
    __syncthreads();
  }

  if (row0 + hi < j && col0 + lo < l) {
    P[(row0 + hi) * l + col0 + lo] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  transposed_kernel<<<grid, T * T>>>(Mt, N, P, j, k, l);
}
