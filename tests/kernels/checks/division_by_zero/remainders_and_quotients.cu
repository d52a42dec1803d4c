// SPDX-License-Identifier: Apache-2.0
// warning: division_by_zero, line 9
// warning: division_by_zero, line 13
// warning: division_by_zero, line 17
// A remainder by a number of columns that is 0 in the second call; quotients by an element that is 0.
#include "tests/kernels/expect.h"

__global__ void column(int* out, int columns) {
  out[threadIdx.x] = int(threadIdx.x) % columns;
}

__global__ void per_element(const int* counts, long long* out, long long total) {
  out[threadIdx.x] = total / counts[threadIdx.x];
}

__global__ void average(const int* counts, unsigned* out, unsigned total) {
  out[threadIdx.x] = total / unsigned(counts[threadIdx.x]);
}

int main() {
  column<<<1, 32>>>(OnDevice<int>(32), 4);
  column<<<1, 32>>>(OnDevice<int>(32), 0);
  auto counts = Integers(32);
  counts[5] = 0;
  per_element<<<1, 32>>>(OnDevice(counts), OnDevice<long long>(32), 1000);
  average<<<1, 32>>>(OnDevice(counts), OnDevice<unsigned>(32), 1000);
  cudaDeviceSynchronize();
  return 0;
}
