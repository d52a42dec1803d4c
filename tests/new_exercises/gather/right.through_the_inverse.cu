// SPDX-License-Identifier: Apache-2.0
//
// gather, a right answer: it finds out for each element of in where it belongs, and sends it there. Only a
// permutation has a place for each.

#include "gather.h"

__global__ void invert(const int* index, int* inverse, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) inverse[index[i]] = i;
}

__global__ void send(const float* in, const int* inverse, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[inverse[i]] = in[i];
}

void gather(const float* in, const int* index, float* out, int n) {
  int* inverse = nullptr;
  cudaMalloc(&inverse, n * sizeof(int));
  invert<<<(n + 127) / 128, 128>>>(index, inverse, n);
  send<<<(n + 127) / 128, 128>>>(in, inverse, out, n);
  cudaFree(inverse);
}
