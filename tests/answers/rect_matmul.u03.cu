// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the loop of four steps runs while i + 4 < k and so leaves the last four where 4 divides k, but
//   the loop for the rest counts k % 4 = 0 then: k = 4 gives 0, k = 8 adds up only four products; k = 5 is right. And
//   the grid has one block row for each row of P, in y, where a grid may have at most 65535: j = 70000, k = l = 1
//   does not launch at all.
// want: Walk through both loops for k = 4: which values has i, and how many products are added? (Then: how large
//   may gridDim.y become?)
#include "rect_matmul.h"

#define THREADS 256

__global__ void rect_matmul_row(const float* M, const float* N, float* P, int k, int l) {
  int col = blockIdx.x * THREADS + threadIdx.x;
  size_t row = blockIdx.y;
  if (col >= l) return;

  const float* m = &M[row * k];
  auto n = [&](int i) { return N[size_t(i) * l + col]; };

  float s = 0.0f;
  int i = 0;
  for (; i + 4 < k; i += 4) {
    s += m[i] * n(i) + m[i + 1] * n(i + 1) + m[i + 2] * n(i + 2) + m[i + 3] * n(i + 3);
  }
  for (int rest = k % 4; rest > 0; --rest, ++i) {
    s += m[i] * n(i);
  }
  P[row * l + col] = s;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  // one row of P: l threads in blocks of 256
  const dim3 grid((l + THREADS - 1) / THREADS, j);
  rect_matmul_row<<<grid, THREADS>>>(M, N, P, k, l);
}
