// SPDX-License-Identifier: Apache-2.0
// finding: use_after_free, line 11, access read
// Freed by the kernel itself, which goes on reading it with the instruction that read it before.
#include "tests/kernels/expect.h"

__global__ void walk(int* out, int rounds) {
  int* volatile piece = static_cast<int*>(malloc(4 * sizeof(int)));
  *piece = 7;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const int value = *static_cast<volatile int*>(piece);
    out[round] = value;
    if (round == rounds / 2) free(piece);
  }
}

int main() {
  int* out = OnDevice<int>(8);
  walk<<<1, 1>>>(out, 8);
  cudaDeviceSynchronize();
  return 0;
}
