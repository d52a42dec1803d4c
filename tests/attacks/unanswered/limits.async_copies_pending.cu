// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: grow; grader_fault
// 5000 asynchronous copies of 4 MB from the host on a stream that waits for a kernel, no sync.

#include "transpose_padded.h"
#include <vector>

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  static int once = 0;
  if (once++) return;
  std::vector<char> h(4 << 20);
  char* d;
  cudaStream_t s;
  cudaMalloc(&d, h.size());
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  for (int i = 0; i < 5000; ++i) if (cudaMemcpyAsync(d, h.data(), h.size(), cudaMemcpyHostToDevice, s) != cudaSuccess) break;
}
