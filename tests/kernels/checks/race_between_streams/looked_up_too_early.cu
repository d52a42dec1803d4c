// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 15, other 10, access read, object "argument 1"
// One stream inserts into a hash table, the other looks up.
#include "tests/kernels/expect.h"

__global__ void insert(int* table, int size) {
  const int key = 1 + threadIdx.x;
  for (int at = key % size;; at = (at + 1) % size) {
    if (table[at] != 0) continue;
    if (atomicCAS(table + at, 0, key) == 0) return;
  }
}
__global__ void look_up(const int* table, int size, int* found) {
  const int key = 1 + threadIdx.x;
  found[threadIdx.x] = table[key % size] == key;
}

int main() {
  const int size = 512;
  int *table = OnDevice(std::vector<int>(size)), *found = OnDevice<int>(64);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  insert<<<1, 64, 0, one>>>(table, size);
  look_up<<<1, 64, 0, two>>>(table, size, found);
  FINISH();
  return 0;
}
