// SPDX-License-Identifier: Apache-2.0
//
// cublas_sgemm SHAPE...: time of cuBLAS' SGEMM, fp32 without tensor cores, measured as
// grader/timing/README.md says: random inputs, the L2 cache swept by reading before each run, median of 21. A
// SHAPE is ROWSxINNERxCOLUMNS, with a "t" behind it where the first factor lies column by column. Prints
// "SHAPE MILLISECONDS" lines. cuBLAS is loaded at run time, so that nothing else here needs it.

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/benchmarks/measure.cuh"

namespace warplings::benchmarks {
namespace {

constexpr int kRuns = 21;

// From cublas_v2.h: cublasHandle_t is a pointer, CUBLAS_OP_N is 0, CUBLAS_OP_T is 1, and the default math
// mode uses no TF32.
using Create = int (*)(void** handle);
using Sgemm = int (*)(void* handle, int op_a, int op_b, int m, int n, int k, const float* alpha,
                      const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc);

void Check(bool fine, const char* what) {
  if (fine) return;
  std::fprintf(stderr, "cublas_sgemm: %s\n", what);
  std::exit(1);
}

struct Shape {
  int rows = 0, inner = 0, columns = 0;
  bool first_by_columns = false;
};

float* RandomMatrix(int rows, int columns, std::uint32_t seed) {
  return DeviceArray(static_cast<std::size_t>(rows) * columns, seed);
}

double MedianMilliseconds(Sgemm sgemm, void* handle, const Shape& shape, ColdTimer& timer) {
  float* m = RandomMatrix(shape.rows, shape.inner, 1);
  float* n = RandomMatrix(shape.inner, shape.columns, 2);
  float* p = RandomMatrix(shape.rows, shape.columns, 3);
  // To cuBLAS, matrices lie column by column: a matrix of ours is its transpose, and P' = N' M'.
  const int m_op = shape.first_by_columns ? 1 : 0,
            m_pitch = shape.first_by_columns ? shape.rows : shape.inner;
  const float one = 1, zero = 0;
  std::vector<double> times;
  for (int run = 0; run < 2 * kRuns; ++run) {
    const double microseconds = timer.Microseconds([&] {
      const int code = sgemm(handle, 0, m_op, shape.columns, shape.rows, shape.inner, &one, n, shape.columns,
                             m, m_pitch, &zero, p, shape.columns);
      Check(code == 0, "SGEMM failed");
    });
    if (run >= kRuns) times.push_back(microseconds * 1e-3);  // The first half warms up.
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  for (float* each : {m, n, p}) cudaFree(each);
  return times[kRuns / 2];
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int argc, char** argv) {
  using namespace warplings::benchmarks;
  void* library = nullptr;
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW);
  }
  Check(library != nullptr, "there is no libcublas here");
  const auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
  const auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cublasSgemm_v2"));
  void* handle = nullptr;
  Check(create != nullptr && sgemm != nullptr && create(&handle) == 0, "cuBLAS does not start");
  ColdTimer timer;
  for (int i = 1; i < argc; ++i) {
    Shape shape;
    Check(std::sscanf(argv[i], "%dx%dx%d", &shape.rows, &shape.inner, &shape.columns) == 3,
          "a shape is 64x32x16");
    shape.first_by_columns = argv[i][std::strlen(argv[i]) - 1] == 't';
    std::printf("%s %.5f\n", argv[i], MedianMilliseconds(sgemm, handle, shape, timer));
  }
  return 0;
}
