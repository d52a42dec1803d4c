// SPDX-License-Identifier: Apache-2.0
// malloc, free, new and delete in kernels: a list for each thread, memory that outlives its kernel, and a
// request that cannot be met.
#include "tests/kernels/expect.h"

struct Node {
  int value;
  Node* next;
};

__global__ void sum_lists(int* sums) {
  Node* head = nullptr;
  for (int i = 0; i <= static_cast<int>(threadIdx.x % 8); ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = i + threadIdx.x;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
    Node* next = head->next;
    free(head);
    head = next;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ int* kept[64];

__global__ void keep() {
  kept[threadIdx.x] = new int[4];
  for (int i = 0; i < 4; ++i) kept[threadIdx.x][i] = threadIdx.x * 4 + i;
}

__global__ void release(int* out) {
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = kept[threadIdx.x][i];
  delete[] kept[threadIdx.x];
}

__global__ void ask_for_too_much(int* got_null) {
  void* block = malloc(size_t{1} << 40);
  *got_null = block == nullptr;
  free(block);
}

int main() {
  int* out = OnDevice<int>(256);
  sum_lists<<<2, 64>>>(out);
  FINISH();
  auto sums = FromDevice(out, 128);
  for (int i = 0; i < 128; ++i) {
    const int t = i % 64, n = t % 8 + 1;
    ExpectEqual("sum", i, sums[i], n * t + n * (n - 1) / 2);
  }
  keep<<<1, 64>>>();
  release<<<1, 64>>>(out);
  FINISH();
  auto values = FromDevice(out, 256);
  for (int i = 0; i < 256; ++i) ExpectEqual("kept", i, values[i], i);
  ask_for_too_much<<<1, 1>>>(out);
  FINISH();
  ExpectEqual("null", 0, FromDevice(out, 1)[0], 1);
  return Result();
}
