// SPDX-License-Identifier: Apache-2.0
// An ordinary program of a course: a histogram in shared memory, checked on the host, timed with events.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                \
  do {                                                                             \
    const cudaError_t status = (call);                                             \
    if (status != cudaSuccess) {                                                   \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)

constexpr int kBins = 16;

__global__ void histogram(const unsigned* values, int n, int* bins) {
  __shared__ int local[kBins];
  if (threadIdx.x < kBins) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[values[i] % kBins], 1);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  unsigned* values = static_cast<unsigned*>(std::malloc(n * sizeof(unsigned)));
  int expected[kBins] = {}, bins[kBins];
  for (int i = 0; i < n; ++i) {
    values[i] = i * 2654435761u >> 7;
    ++expected[values[i] % kBins];
  }
  unsigned* values_d;
  int* bins_d;
  CHECK(cudaMalloc(&values_d, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&bins_d, sizeof bins));
  CHECK(cudaMemcpy(values_d, values, n * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins_d, 0, sizeof bins));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  histogram<<<(n + 127) / 128, 128>>>(values_d, n, bins_d);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaMemcpy(bins, bins_d, sizeof bins, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int bin = 0; bin < kBins; ++bin) wrong += bins[bin] != expected[bin];
  std::printf("%d values, %d bins wrong, timed: %s\n", n, wrong, milliseconds >= 0 ? "yes" : "no");
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(values_d));
  CHECK(cudaFree(bins_d));
  std::free(values);
  return wrong != 0;
}
