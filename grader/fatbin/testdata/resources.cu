// SPDX-License-Identifier: Apache-2.0
// Kernels that differ in what ptxas gives them; see regenerate.py and cubin_test.cc.
__global__ void tiled(const float* in, float* out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void plain(float* x) {
  x[threadIdx.x] = 1;
}

__global__ void spilling(float* x, int n) {
  float a[26];
  for (int i = 0; i < 26; ++i) a[i] = x[i];
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 26; ++i) a[i] += x[k];
  }
  for (int i = 0; i < 26; ++i) x[i] = a[i];
}
