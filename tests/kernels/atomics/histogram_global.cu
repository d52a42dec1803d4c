// SPDX-License-Identifier: Apache-2.0
// Histogram of bytes with atomics in global memory.
#include "tests/kernels/expect.h"

__global__ void histogram(const unsigned char* text, int length, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[text[i]], 1u);
}

int main() {
  const int length = 10000;
  std::vector<unsigned char> text;
  for (int value : Integers(length)) text.push_back(static_cast<unsigned char>(value % 64 + 128));
  unsigned char* dtext = OnDevice(text);
  unsigned* bins = OnDevice<unsigned>(256);
  CUDA(cudaMemset(bins, 0, 256 * sizeof(unsigned)));
  histogram<<<8, 128>>>(dtext, length, bins);
  FINISH();
  std::vector<unsigned> wanted(256);
  for (unsigned char c : text) ++wanted[c];
  const auto got = FromDevice(bins, 256);
  for (int i = 0; i < 256; ++i) ExpectEqual("bin", i, got[i], wanted[i]);
  return Result();
}
