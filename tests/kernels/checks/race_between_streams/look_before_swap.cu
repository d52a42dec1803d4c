// SPDX-License-Identifier: Apache-2.0
// clean
// Kernels of two streams insert into one hash table: each looks at a place before it swaps.
#include "tests/kernels/expect.h"

__global__ void insert(int* table, int size, int first) {
  const int key = first + threadIdx.x;
  for (int at = key % size;; at = (at + 1) % size) {
    if (table[at] != 0) continue;
    if (atomicCAS(table + at, 0, key) == 0) return;
  }
}

int main() {
  const int size = 512;
  int* table = OnDevice(std::vector<int>(size));
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  insert<<<1, 64, 0, one>>>(table, size, 1);
  insert<<<1, 64, 0, two>>>(table, size, 10);
  FINISH();
  return 0;
}
