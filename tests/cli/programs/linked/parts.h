// What the two files of this program have in common.
#pragma once

using Rule = int (*)(int);

constexpr int kThreads = 4;

extern __device__ int calls;
extern __constant__ int factors[kThreads];
extern __managed__ int total;
extern __device__ Rule rules[2];

__device__ int doubled(int value);
__global__ void sum(const int* values);
void run_shift(int* values);

/// Both files compile it, and one copy is linked.
template <class T>
__device__ __noinline__ T square(T value) {
  return value * value;
}
