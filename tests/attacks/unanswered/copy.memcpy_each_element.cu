// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// n copies of four bytes.

#include "reverse.h"

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  for (int s = 0; s < n; s += piece) {
    const int len = n - s < piece ? n - s : piece;
    for (int t = 0; t < len; ++t) cudaMemcpyAsync(out + s + t, in + s + len - 1 - t, 4, cudaMemcpyDeviceToDevice);
  }
}
