// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang; grow; grader_fault
// 5000 threads that sleep.

#include "tiled_matmul.h"
#include <thread>
#include <chrono>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 5000; ++i) std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(20)); }).detach();
}
