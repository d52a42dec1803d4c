// SPDX-License-Identifier: Apache-2.0
__device__ __forceinline__ float load(const float* p, int i, int n) {
  return i < n ? p[i] : 0.f;
}
__device__ float both(const float* p, int i, int n) {
  return load(p, i, n) + load(p, i + 1, n);
}
__global__ void k(const float* a, float* b, int n) {
  int i = threadIdx.x;
  b[i] = both(a, i, n);
  b[i + n] = load(a, i + 2, n);
}
