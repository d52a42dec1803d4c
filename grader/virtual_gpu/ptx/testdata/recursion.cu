// SPDX-License-Identifier: Apache-2.0
__device__ __noinline__ long ack(long m, long n) {
  return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__device__ __noinline__ bool even(int);
__device__ __noinline__ bool odd(int n) {
  return n == 0 ? false : even(n - 1);
}
__device__ __noinline__ bool even(int n) {
  return n == 0 ? true : odd(n - 1);
}
__global__ void k(long* x) {
  x[0] = ack(x[1], x[2]) + even(x[3]);
}
