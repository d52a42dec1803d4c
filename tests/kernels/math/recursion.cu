// SPDX-License-Identifier: Apache-2.0
// Recursion, with lanes that go to different depths: Fibonacci, Ackermann, quicksort on a local array, a tree
// in order.
#include "tests/kernels/expect.h"

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ void quicksort(int* values, int low, int high) {
  if (low >= high) return;
  int pivot = values[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i <= j) {
      int swapped = values[i];
      values[i++] = values[j];
      values[j--] = swapped;
    }
  }
  quicksort(values, low, j);
  quicksort(values, i, high);
}

/// The call is all that a branch does, so that where the lanes join, a call ends, too.
__host__ __device__ inline void walk(const int* left, const int* right, int node, int* order, int* count) {
  if (left[node] >= 0) walk(left, right, left[node], order, count);
  order[(*count)++] = node;
  if (right[node] >= 0) walk(left, right, right[node], order, count);
}

constexpr int kNodes = 9;

__global__ void walk_in_order(const int* left, const int* right, int* orders, int* counts) {
  int i = threadIdx.x, count = 0;
  walk(left, right, i % kNodes, orders + i * kNodes, &count);
  counts[i] = count;
}

__global__ void recurse(int* fibonaccis, int* ackermanns, const int* input, int* sorted) {
  int i = threadIdx.x;
  fibonaccis[i] = fibonacci(i % 13);
  ackermanns[i] = ackermann(i % 3, i % 5);
  int values[16];
  for (int k = 0; k < 16; ++k) values[k] = input[i * 16 + k];
  quicksort(values, 0, 15);
  for (int k = 0; k < 16; ++k) sorted[i * 16 + k] = values[k];
}

int host_ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? host_ackermann(m - 1, 1) : host_ackermann(m - 1, host_ackermann(m, n - 1));
}

int main() {
  const int threads = 64;
  std::vector<int> input = Integers(threads * 16);
  int *f = OnDevice<int>(threads), *a = OnDevice<int>(threads), *in = OnDevice(input),
      *out = OnDevice<int>(threads * 16);
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  recurse<<<1, threads>>>(f, a, in, out);
  FINISH();
  auto fibonaccis = FromDevice(f, threads), ackermanns = FromDevice(a, threads),
       sorted = FromDevice(out, threads * 16);
  const int first_fibonaccis[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  for (int i = 0; i < threads; ++i) {
    ExpectEqual("fibonacci", i, fibonaccis[i], first_fibonaccis[i % 13]);
    ExpectEqual("ackermann", i, ackermanns[i], host_ackermann(i % 3, i % 5));
    long long before = 0, after = 0;
    for (int k = 0; k < 16; ++k) before += input[i * 16 + k], after += sorted[i * 16 + k];
    ExpectEqual("sum of sorted", i, after, before);
    for (int k = 1; k < 16; ++k)
      ExpectEqual("in order", i * 16 + k, sorted[i * 16 + k - 1] <= sorted[i * 16 + k], true);
  }
  // Node 5 is the root.
  std::vector<int> left = {-1, 0, 1, -1, 3, 2, -1, 6, -1}, right = {-1, -1, 4, -1, -1, 7, -1, 8, -1};
  int *l = OnDevice(left), *r = OnDevice(right), *o = OnDevice<int>(threads * kNodes),
      *c = OnDevice<int>(threads);
  walk_in_order<<<1, threads>>>(l, r, o, c);
  FINISH();
  auto orders = FromDevice(o, threads * kNodes), counts = FromDevice(c, threads);
  for (int i = 0; i < threads; ++i) {
    int order[kNodes], count = 0;
    walk(left.data(), right.data(), i % kNodes, order, &count);
    ExpectEqual("nodes", i, counts[i], count);
    for (int k = 0; k < count; ++k) ExpectEqual("order", i * kNodes + k, orders[i * kNodes + k], order[k]);
  }
  return Result();
}
