// SPDX-License-Identifier: Apache-2.0
// Kernels that the programs driver_*.cu load as modules.
extern "C" {
__device__ int offset = 5;
__managed__ int managed = 6;

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}
__global__ void fill(int* out, int value) {
  out[threadIdx.x] = value + offset;
}
__global__ void count_up(int* numbers, int count) {
  if (threadIdx.x <= count) ++numbers[threadIdx.x];
}
__global__ void share(int* out) {
  extern __shared__ int own[];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}
__global__ void nothing() {}
}
