// SPDX-License-Identifier: Apache-2.0
// clean
// The very last element, and the last byte of an allocation of 13 bytes.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n, char* bytes) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i;
  if (threadIdx.x < 13) bytes[threadIdx.x] = 1;
}

int main() {
  int* out = OnDevice<int>(64);
  char* bytes = OnDevice<char>(13);
  fill<<<1, 32>>>(out, 64, bytes);
  FINISH();
  return 0;
}
