// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: grow; grader_fault
// 480 KB of local memory a thread, 1024 threads, 1000 blocks: 480 GB if all were kept.

#include "off_the_cliff.h"
__global__ void k(float* p, int n) { float a[120000]; for (int i = 0; i < n * 1000; i += 997) a[i % 120000] = i; p[0] = a[n]; }

void normalise(const float* x, float* y, int n) {
  k<<<1000, 1024>>>(y, n);
}
