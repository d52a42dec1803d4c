// SPDX-License-Identifier: Apache-2.0
//
// cublas_sgemm SHAPE...: time of cuBLAS' SGEMM, fp32 without tensor cores, measured as
// grader/timing/README.md says: random inputs, the L2 cache swept by reading before each run, median of 21. A
// SHAPE is ROWSxINNERxCOLUMNS, with a "t" behind it where the first factor lies column by column. Prints
// "SHAPE MILLISECONDS" lines. cuBLAS is loaded at run time, so that nothing else here needs it.

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr int kRuns = 21;

// From cublas_v2.h: cublasHandle_t is a pointer, CUBLAS_OP_N is 0, CUBLAS_OP_T is 1, and the default math mode
// uses no TF32.
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

float* RandomMatrix(int rows, int columns) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> host(static_cast<size_t>(rows) * columns);
  for (float& value : host) value = values(random);
  return OnDevice(host);
}

/// The result is written only if a word of the buffer is not 0; none is.
__global__ void Sweep(const int4* buffer, size_t count, int* result) {
  int any = 0;
  const size_t threads = size_t{gridDim.x} * blockDim.x;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += threads) {
    const int4 words = buffer[i];
    any |= words.x | words.y | words.z | words.w;
  }
  if (any != 0) *result = any;
}

struct Shape {
  int rows = 0, inner = 0, columns = 0;
  bool first_by_columns = false;
};

float MedianMilliseconds(Sgemm sgemm, void* handle, const Shape& shape, void* cache, size_t cache_bytes) {
  float* m = RandomMatrix(shape.rows, shape.inner);
  float* n = RandomMatrix(shape.inner, shape.columns);
  float* p = RandomMatrix(shape.rows, shape.columns);
  // To cuBLAS, matrices lie column by column: a matrix of ours is its transpose, and P' = N' M'.
  const int m_op = shape.first_by_columns ? 1 : 0, m_pitch = shape.first_by_columns ? shape.rows : shape.inner;
  const float one = 1, zero = 0;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  std::vector<float> times;
  for (int run = 0; run < 2 * kRuns; ++run) {
    for (int i = 0; i < 3; ++i)
      Sweep<<<1024, 256>>>(static_cast<int4*>(cache), cache_bytes / sizeof(int4), static_cast<int*>(cache));
    cudaEventRecord(start);
    const int code = sgemm(handle, 0, m_op, shape.columns, shape.rows, shape.inner, &one, n, shape.columns, m,
                           m_pitch, &zero, p, shape.columns);
    cudaEventRecord(stop);
    Check(code == 0 && cudaEventSynchronize(stop) == cudaSuccess, "SGEMM failed");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    if (run >= kRuns) times.push_back(milliseconds);  // The first half warms up.
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  for (float* each : {m, n, p}) cudaFree(each);
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
  cudaMemset(cache, 0, 2 * static_cast<size_t>(cache_bytes));
  for (int i = 1; i < argc; ++i) {
    Shape shape;
    Check(std::sscanf(argv[i], "%dx%dx%d", &shape.rows, &shape.inner, &shape.columns) == 3,
          "a shape is 64x32x16");
    shape.first_by_columns = argv[i][std::strlen(argv[i]) - 1] == 't';
    std::printf("%s %.5f\n", argv[i],
                MedianMilliseconds(sgemm, handle, shape, cache, 2 * static_cast<size_t>(cache_bytes)));
  }
  return 0;
}
