// SPDX-License-Identifier: Apache-2.0
extern __shared__ char raw[];
extern __shared__ __align__(16) double dd[];
__global__ void k(float* x, int n) {
  float* a = (float*)raw;
  double* b = dd;
  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[0] = a[n] + b[3];
}
