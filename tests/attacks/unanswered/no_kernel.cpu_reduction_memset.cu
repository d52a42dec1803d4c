// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The CPU adds up; the float gets to the device as bytes of four memsets, so that no copy to the output is seen.

#include "coarsened_reduction.h"
#include <vector>
#include <cstring>

void coarsened_reduction(const float* input, float* output, int length) {
  std::vector<float> x(length);
  if (length) cudaMemcpy(x.data(), input, length * 4ull, cudaMemcpyDeviceToHost);
  double s = 0;
  for (float v : x) s += v;
  float f = (float)s;
  unsigned char b[4];
  std::memcpy(b, &f, 4);
  for (int i = 0; i < 4; ++i) cudaMemset((char*)output + i, b[i], 1);
}
