// SPDX-License-Identifier: Apache-2.0
// An ordinary course program: own main, checked calls, events, dynamic argument.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                   \
  do {                                                                                                \
    cudaError_t status = (call);                                                                      \
    if (status != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));            \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (0)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2.0f * static_cast<float>(i);
  }
  float *a_d, *b_d, *c_d;
  size_t bytes = n * sizeof(float);
  CHECK(cudaMalloc(&a_d, bytes));
  CHECK(cudaMalloc(&b_d, bytes));
  CHECK(cudaMalloc(&c_d, bytes));
  CHECK(cudaMemcpy(a_d, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b_d, b.data(), bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  vector_add<<<(n + 255) / 256, 256>>>(a_d, b_d, c_d, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaMemcpy(c.data(), c_d, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != 3.0f * static_cast<float>(i);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(a_d));
  CHECK(cudaFree(b_d));
  CHECK(cudaFree(c_d));
  std::printf("%d wrong, time %s\n", wrong, milliseconds >= 0 ? "known" : "unknown");
  return wrong != 0;
}
