// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: where it has no memory
// says: an index past the end of an array
// An index far past the end of an array on the host.
#include "tiled_matmul.h"

static float sums[16];

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const long far = (1l << 36) + width;
  static_cast<volatile float*>(sums)[far] = M == N && P != nullptr ? 1.0f : 0.0f;
}
