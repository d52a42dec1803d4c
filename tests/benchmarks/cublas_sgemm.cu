// SPDX-License-Identifier: Apache-2.0
//
// cublas_sgemm WIDTH...: time of cuBLAS' SGEMM on square matrices, fp32 without tensor cores, measured as
// grader/timing/README.md says: random inputs, the L2 cache cleared before each run, median of 21. Prints
// "WIDTH MILLISECONDS" lines. cuBLAS is loaded at run time, so that nothing else here needs it.

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr int kRuns = 21;

// From cublas_v2.h: cublasHandle_t is a pointer, CUBLAS_OP_N is 0, and the default math mode uses no TF32.
using Create = int (*)(void** handle);
using Sgemm = int (*)(void* handle, int op_a, int op_b, int m, int n, int k, const float* alpha,
                      const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc);

void Check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "cublas_sgemm: %s\n", what);
  std::exit(1);
}

float* OnDevice(const std::vector<float>& values) {
  float* data = nullptr;
  Check(cudaMalloc(&data, values.size() * sizeof(float)) == cudaSuccess, "no memory on the card");
  cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return data;
}

float MedianMilliseconds(Sgemm sgemm, void* handle, int width, void* cache, size_t cache_bytes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> host(static_cast<size_t>(width) * width);
  for (float& value : host) value = values(random);
  float* a = OnDevice(host);
  std::shuffle(host.begin(), host.end(), random);
  float* b = OnDevice(host);
  float* c = OnDevice(host);
  const float one = 1, zero = 0;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  std::vector<float> times;
  for (int run = 0; run < 2 * kRuns; ++run) {
    cudaMemset(cache, 0, cache_bytes);
    cudaEventRecord(start);
    const int code = sgemm(handle, 0, 0, width, width, width, &one, a, width, b, width, &zero, c, width);
    cudaEventRecord(stop);
    Check(code == 0 && cudaEventSynchronize(stop) == cudaSuccess, "SGEMM failed");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    if (run >= kRuns) times.push_back(milliseconds);  // The first half warms up.
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  for (float* each : {a, b, c}) cudaFree(each);
  return times[kRuns / 2];
}

}  // namespace

int main(int argc, char** argv) {
  void* library = nullptr;
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW);
  }
  Check(library != nullptr, "there is no libcublas here");
  const auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
  const auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cublasSgemm_v2"));
  void* handle = nullptr;
  Check(create != nullptr && sgemm != nullptr && create(&handle) == 0, "cuBLAS does not start");
  int cache_bytes = 0;
  cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0);
  void* cache = nullptr;
  cudaMalloc(&cache, 2 * static_cast<size_t>(cache_bytes));
  for (int i = 1; i < argc; ++i) {
    const int width = std::atoi(argv[i]);
    std::printf("%d %.5f\n", width,
                MedianMilliseconds(sgemm, handle, width, cache, 2 * static_cast<size_t>(cache_bytes)));
  }
  return 0;
}
