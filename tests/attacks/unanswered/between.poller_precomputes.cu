// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass; hang
// From the first call on a thread copies what lies where M and N lay, multiplies it naively into memory of its own whenever it has changed, and the call only copies.

#include "coarsened_matmul.h"

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

#include <atomic>
#include <thread>
static std::atomic<const float*> gm, gn;
static std::atomic<int> gw{0}, rounds{0};
static float* own = nullptr;
static void poll() {
  for (int i = 0; i < 100000; ++i) {
    if (gw) naive(gm, gn, own, gw, gw, gw);
    cudaDeviceSynchronize();
    cudaGetLastError();
    ++rounds;
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  if (!own) {
    cudaMalloc(&own, 1 << 20);
    std::thread(poll).detach();
  }
  gm = M;
  gn = N;
  gw = width;
  const int r = rounds;
  for (long i = 0; i < 100000000 && rounds < r + 2; ++i) std::this_thread::yield();
  cudaMemcpy(P, own, sizeof(float) * width * width, cudaMemcpyDeviceToDevice);
}
