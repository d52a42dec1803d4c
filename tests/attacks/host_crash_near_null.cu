// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: it uses address 0x84, which is a null pointer plus an index or a member
// says: which line should have set it?
// An element of an array that was never allocated.
#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  float* sums = width > 0 ? nullptr : P;
  static_cast<volatile float*>(sums)[33] = M == N ? 1.0f : 0.0f;
}
