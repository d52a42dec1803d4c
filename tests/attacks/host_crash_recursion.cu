// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: its stack is full
// says: a recursion that never ends
// A recursion without an end.
#include "tiled_matmul.h"

volatile int calls = 0;

float sum_from(int k, int width) {
  volatile float term = 1.0f;
  calls = calls + 1;
  return k == -1 ? 0.0f : term + sum_from(k + 1, width) + term;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (sum_from(1, width) < 0.0f) cudaMemcpy(P, M, sizeof *N, cudaMemcpyDeviceToDevice);
}
