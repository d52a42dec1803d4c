// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: it writes to read-only memory
// says: String literals and constants cannot be written
// A string literal is written.
#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  char* name = const_cast<char*>("tiled_matmul");
  static_cast<volatile char*>(name)[width % 4] = M == N && P != nullptr ? 'T' : 't';
}
