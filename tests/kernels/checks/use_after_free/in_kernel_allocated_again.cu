// SPDX-License-Identifier: Apache-2.0
// clean
// Freed and allocated again in the kernel, more often than there are addresses in quarantine.
#include "tests/kernels/expect.h"

__global__ void churn(int* sums) {
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < 100; ++round) {
    int* piece = static_cast<int*>(malloc((round % 4 + 1) * sizeof(int)));
    for (int i = 0; i <= round % 4; ++i) piece[i] = round + i;
    for (int i = 0; i <= round % 4; ++i) sum += piece[i];
    free(piece);
  }
  sums[threadIdx.x] = sum;
}

int main() {
  int* sums = OnDevice<int>(64);
  churn<<<1, 64>>>(sums);
  FINISH();
  int wanted = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i <= round % 4; ++i) wanted += round + i;
  }
  const auto got = FromDevice(sums, 64);
  for (int i = 0; i < 64; ++i) ExpectEqual("sum", i, got[i], wanted);
  return Result();
}
