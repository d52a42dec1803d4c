// SPDX-License-Identifier: Apache-2.0
// mistake: the second launch, for the last j % 4 rows, gets P + done * k; a row of P has l elements, so it has to be
//   done * l. With j = 5, k = 3, l = 2 the row 4 of P is stored from index 12 on instead of 8 (P has 10 elements: out
//   of range), and P[4][0], P[4][1] are never stored. Right where 4 divides j, where k == l, and for j below 4 (done
//   is 0).
// want: All the sums are right. How many elements lie before row `done` in M, and how many in P?
#include "rect_matmul.h"

// Each thread: one column, four rows, so that an element of N is loaded once for four products.
__global__ void four_rows(const float* M, const float* N, float* P, int groups, int k, int l) {
  const int col = blockIdx.x * 16 + threadIdx.x;
  const int group = blockIdx.y * 16 + threadIdx.y;
  if (col >= l || group >= groups) return;
  const int row = 4 * group;

  float s[4] = {};
  for (int i = 0; i < k; ++i) {
    const float n = N[i * l + col];
    for (int r = 0; r < 4; ++r) s[r] += M[(row + r) * k + i] * n;
  }
  for (int r = 0; r < 4; ++r) P[(row + r) * l + col] = s[r];
}

// What does not fill a group of four: one to three rows, one thread an element.
__global__ void rest_rows(const float* M, const float* N, float* P, int k, int l) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (col >= l) return;
  float s = 0.0f;
  for (int i = 0; i < k; ++i) s += M[row * k + i] * N[i * l + col];
  P[row * l + col] = s;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int groups = j / 4;
  const int rest = j % 4;
  const int done = j - rest;
  if (groups > 0) {
    four_rows<<<dim3((l + 15) / 16, (groups + 15) / 16), dim3(16, 16)>>>(M, N, P, groups, k, l);
  }
  if (rest > 0) {
    rest_rows<<<dim3((l + 127) / 128, rest), 128>>>(M + done * k, N, P + done * k, k, l);
  }
}
