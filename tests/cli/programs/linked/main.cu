// A program of two files, compiled with -rdc=true: device code of either file uses what the other one
// defines.
#include <cstdio>

#include "parts.h"

__device__ int calls = 0;
__constant__ int factors[kThreads];
__managed__ int total = 1000;

// The other file has a `moved` and a `shift` of its own.
static __device__ int moved = 1;
static __global__ void shift(int* values) {
  values[threadIdx.x] += moved;
}

__global__ void apply(int* values) {
  int i = threadIdx.x;
  values[i] = rules[i % 2](values[i]) + doubled(i) + square(i);
}

int main(int argc, char**) {
  const int host_factors[kThreads] = {1, 10, 100, 1000}, host_moved = 5;
  int* values;
  cudaMalloc(&values, kThreads * sizeof(int));
  cudaMemset(values, 0, kThreads * sizeof(int));
  cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);
  cudaMemcpyToSymbol(moved, &host_moved, sizeof host_moved);
  shift<<<1, kThreads>>>(values);                          // 5 5 5 5
  run_shift(values);                                       // 25 25 25 25
  apply<<<1, kThreads>>>(values);                          // 30 78 38 90
  const int threads = argc > 1 ? 2 * kThreads : kThreads;  // With an argument, `sum` reads past the end.
  sum<<<1, threads, 2 * kThreads * sizeof(int)>>>(values);
  cudaDeviceSynchronize();
  int host_calls = 0;
  cudaMemcpyFromSymbol(&host_calls, calls, sizeof host_calls);
  cudaFree(values);
  std::printf("total %d, %d calls, %s\n", total, host_calls, cudaGetErrorString(cudaGetLastError()));
}
