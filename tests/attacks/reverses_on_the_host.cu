// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: wrong_result
// says: Do this first Your code launches no kernel: host code and copies fill `out`.
// says: the call launched no kernel: the host or copies wrote out
// No word about what kernels lack: shared memory, blocks, bytes.

#include "reverse.h"

#include <algorithm>
#include <vector>

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  std::vector<int> values(n);
  cudaMemcpy(values.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int start = 0; start < n; start += piece) {
    std::reverse(values.begin() + start, values.begin() + std::min(n, start + piece));
  }
  cudaMemcpy(out, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
