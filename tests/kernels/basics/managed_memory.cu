// SPDX-License-Identifier: Apache-2.0
// Managed memory that host and kernels write by turns, a __managed__ variable, a list with host pointers.
#include "tests/kernels/expect.h"

struct Item {
  int value;
  Item* next;
};

__managed__ int total = 5;

__global__ void sum_list(const Item* head) {
  for (const Item* item = head; item; item = item->next) total += item->value;
}

__global__ void increment(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += i;
}

int main() {
  const int n = 500;
  int* values = nullptr;
  CUDA(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = 1000 - i;
  increment<<<4, 128>>>(values, n);
  FINISH();
  for (int i = 0; i < n; ++i) ExpectEqual("once", i, values[i], 1000);
  for (int i = 0; i < n; ++i) values[i] = i;
  increment<<<4, 128>>>(values, n);
  FINISH();
  for (int i = 0; i < n; ++i) ExpectEqual("twice", i, values[i], 2 * i);

  Item* items = nullptr;
  CUDA(cudaMallocManaged(&items, 10 * sizeof(Item)));
  for (int i = 0; i < 10; ++i) items[i] = {i, i < 9 ? &items[i + 1] : nullptr};
  sum_list<<<1, 1>>>(items);
  FINISH();
  ExpectEqual("total", 0, total, 50);
  total = 0;
  sum_list<<<1, 1>>>(items + 8);
  FINISH();
  ExpectEqual("total", 1, total, 17);
  CUDA(cudaFree(values));
  CUDA(cudaFree(items));
  return Result();
}
