// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass; grader_fault
// Result by an asynchronous copy from a buffer on the stack that is gone by then.

#include "reverse.h"

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  int buf[4096];
  if (n == 0 || n > 4096) return;
  cudaMemcpy(buf, in, n * 4, cudaMemcpyDeviceToHost);
  int r[4096];
  for (int s = 0; s < n; s += piece) {
    const int len = n - s < piece ? n - s : piece;
    for (int t = 0; t < len; ++t) r[s + t] = buf[s + len - 1 - t];
  }
  cudaMemcpyAsync(out, r, n * 4, cudaMemcpyHostToDevice, 0);
}
