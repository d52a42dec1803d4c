#include "parts.h"

static __device__ int moved = 20;
static __global__ void shift(int* values) {
  values[threadIdx.x] += moved;
}
void run_shift(int* values) {
  shift<<<1, kThreads>>>(values);
}

static __device__ int plus_five(int value) {
  return value + 5;
}
static __device__ int triple(int value) {
  return 3 * value;
}
__device__ Rule rules[2] = {plus_five, triple};

__device__ int doubled(int value) {
  atomicAdd(&calls, 1);
  return 2 * value;
}

extern __shared__ int products[];

__global__ void sum(const int* values) {
  int i = threadIdx.x;
  products[i] = values[i] * factors[i % kThreads];
  __syncthreads();
  if (i == 0) {
    for (int k = 0; k < kThreads; ++k) total += products[k] + square(k);
  }
}
