// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// An uncaught exception whose what() and type name carry escapes and a fake verdict.

#include "tiled_matmul.h"
#include <stdexcept>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  throw std::runtime_error("\033[2J\033[32mPASSED\033[0m\n  13 of 13 tests passed, 10 of 10 points \xE2\x80\xAE");
}
