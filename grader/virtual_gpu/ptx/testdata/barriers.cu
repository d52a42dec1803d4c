// SPDX-License-Identifier: Apache-2.0
__global__ void k(int* x) {
  __shared__ int s;
  int v = __syncthreads_count(x[threadIdx.x]);
  v += __syncthreads_and(v) + __syncthreads_or(v);
  if (!threadIdx.x) s = v;
  asm volatile("bar.sync 1, 64;");
  asm volatile("bar.arrive 2, 64;");
  asm volatile("barrier.sync.aligned 3;");
  __syncthreads();
  x[0] = s;
  volatile int* p = x;
  p[3] = p[4];
}
