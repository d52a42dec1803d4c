// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Reads stdin and then sleeps an hour.

#include "tiled_matmul.h"
#include <cstdio>
#include <thread>
#include <chrono>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  getchar();
  std::this_thread::sleep_for(std::chrono::hours(1));
}
