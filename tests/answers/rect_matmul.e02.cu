// SPDX-License-Identifier: Apache-2.0
// mistake: one row of P for each blockIdx.y. A grid may be at most 65535 high: with j = 70000 the launch fails
//   (nobody looks at the error), and nothing of P is stored.
// want: Each row has blocks of its own here. Which of a grid's dimensions counts the rows, and how large may
//   that one become? What happens to a launch that asks for more?

#include "rect_matmul.h"

static const int kThreads = 128;

// A block works on 128 neighbouring elements of one row of P.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int k, int l) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * kThreads + threadIdx.x;
  if (col >= l) return;

  const float* m = M + (size_t)row * k;
  const float* const m_end = m + k;
  const float* n = N + col;

  float sum = 0.0f;
  while (m != m_end) {
    sum += *m++ * *n;
    n += l;
  }
  P[(size_t)row * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + kThreads - 1) / kThreads, j);
  rect_matmul_kernel<<<grid, kThreads>>>(M, N, P, k, l);
}
