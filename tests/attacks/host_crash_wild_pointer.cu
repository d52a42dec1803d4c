// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: a pointer whose value is not a valid address
// says: was never set, was overwritten
// A pointer made of numbers, as one that was never set.
#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  unsigned long bits = 0x3f8000003f800000ul + static_cast<unsigned long>(width);
  *reinterpret_cast<volatile float*>(bits) = M == N && P != nullptr ? 1.0f : 0.0f;
}
