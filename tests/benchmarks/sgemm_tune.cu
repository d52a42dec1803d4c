// SPDX-License-Identifier: Apache-2.0
//
// fast_matmul's solution and the shapes that it was chosen from, beside cuBLAS SGEMM in fp32 without tensor
// cores (CUBLAS_PEDANTIC_MATH). Everything is checked before it is timed. tests/benchmarks/results/README.md
// says how this is built and run.
//
//   sgemm_tune [FILE]    FILE: libcublas, if the dynamic linker does not find it

#include <cublas_v2.h>
#include <dlfcn.h>

#include <cmath>

#include "fast_matmul.h"
#include "tests/benchmarks/measure.cuh"
#include "tests/benchmarks/sgemm_variants.cuh"

namespace warplings::benchmarks {
namespace {

using Matmul = std::function<void(const float* M, const float* N, float* P, int width)>;

struct Variant {
  std::string name;
  Matmul run;
  bool any_width = true;  ///< Otherwise multiples of 4 only.
};

/// cuBLAS, loaded at run time. Its matrices are stored column by column: there P = M x N is N x M.
Matmul Cublas(const char* file) {
  void* library = file != nullptr ? dlopen(file, RTLD_NOW) : dlopen("libcublas.so.13", RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    std::exit(1);
  }
  const auto create = reinterpret_cast<decltype(&cublasCreate_v2)>(dlsym(library, "cublasCreate_v2"));
  const auto set_mode = reinterpret_cast<decltype(&cublasSetMathMode)>(dlsym(library, "cublasSetMathMode"));
  const auto sgemm = reinterpret_cast<decltype(&cublasSgemm_v2)>(dlsym(library, "cublasSgemm_v2"));
  cublasHandle_t handle;
  if (create(&handle) != CUBLAS_STATUS_SUCCESS ||
      set_mode(handle, CUBLAS_PEDANTIC_MATH) != CUBLAS_STATUS_SUCCESS) {
    std::printf("cuBLAS does not start\n");
    std::exit(1);
  }
  return [=](const float* M, const float* N, float* P, int width) {
    const float one = 1, zero = 0;
    if (sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, width, width, width, &one, N, width, M, width, &zero, P,
              width) != CUBLAS_STATUS_SUCCESS) {
      std::printf("cuBLAS failed\n");
      std::exit(1);
    }
  };
}

template <class S>
Variant OfShape() {
  const char* const orders[] = {"rows", "snake", "columns", "pairs", "squares"};
  char name[96];
  std::snprintf(name, sizeof name, "%dx%dx%d, %dx%d, %d stages, %d blocks, %d parts, %s", S::kRows, S::kCols,
                S::kStep, S::kThreadRows, S::kThreadCols, S::kStages, S::kMinBlocks, S::kParts,
                orders[static_cast<int>(S::kOrder)]);
  CHECK(cudaFuncSetAttribute(Sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes));
  return {name,
          [](const float* M, const float* N, float* P, int width) {
            const dim3 grid((width + S::kCols - 1) / S::kCols, (width + S::kRows - 1) / S::kRows);
            Sgemm<S><<<grid, S::kThreads, S::kBytes>>>(M, N, P, width);
          },
          false};
}

std::vector<Variant> AllVariants(const char* cublas) {
  using enum Order;
  return {
      {"cuBLAS", Cublas(cublas)},
      {"solution", fast_matmul},
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 4, kSnake>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 1, kSnake>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 4, kRows>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 4, kColumns>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 4, kPairs>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 3, 4, kSquares>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 2, 3, 4, kSnake>>(),
      OfShape<Shape<64, 128, 8, 8, 8, 4, 3, 2, kSnake>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 4, 4, kSnake>>(),
      OfShape<Shape<64, 128, 16, 8, 8, 3, 4, 4, kSquares>>(),
      OfShape<Shape<64, 64, 16, 8, 4, 3, 4, 4, kSnake>>(),
      OfShape<Shape<128, 128, 16, 8, 8, 3, 2, 4, kSquares>>(),
      OfShape<Shape<128, 128, 16, 8, 16, 3, 2, 4, kSnake>>(),
      OfShape<Shape<128, 256, 16, 8, 16, 3, 1, 1, kPairs>>(),
      OfShape<Shape<128, 256, 16, 8, 16, 3, 1, 4, kPairs>>(),
      OfShape<Shape<128, 256, 16, 8, 16, 3, 1, 4, kSnake>>(),
      OfShape<Shape<128, 256, 16, 8, 16, 2, 1, 4, kPairs>>(),
      OfShape<Shape<256, 128, 16, 16, 8, 3, 1, 4, kColumns>>(),
  };
}

struct Matrices {
  float *M, *N, *P;
  double *exact, *magnitudes;
  unsigned long long* wrong;
};

void CheckAll(const std::vector<Variant>& variants, const Matrices& on_device, int width) {
  const std::size_t n = static_cast<std::size_t>(width) * width;
  const dim3 block(32, 8), grid((width + 31) / 32, (width + 7) / 8);
  ExactMatmul<<<grid, block>>>(on_device.M, on_device.N, on_device.exact, on_device.magnitudes, width);
  for (const Variant& variant : variants) {
    if (!variant.any_width && width % 4 != 0) continue;
    CHECK(cudaMemset(on_device.P, 0xff, n * sizeof(float)));  // NaN: what is not written is wrong
    CHECK(cudaMemset(on_device.wrong, 0, sizeof(unsigned long long)));
    variant.run(on_device.M, on_device.N, on_device.P, width);
    CHECK(cudaGetLastError());
    CountWrong<<<1024, 256>>>(on_device.P, on_device.exact, on_device.magnitudes, width, on_device.wrong);
    unsigned long long wrong = 0;
    CHECK(cudaMemcpy(&wrong, on_device.wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    if (wrong > 0) {
      std::printf("%s, width %d: %llu elements are wrong\n", variant.name.c_str(), width, wrong);
      std::exit(1);
    }
  }
}

int Main(int argc, char** argv) {
  constexpr int kMost = 4096;
  constexpr std::size_t kElements = static_cast<std::size_t>(kMost) * kMost;
  PrintDevice();
  const std::vector<Variant> variants = AllVariants(argc > 1 ? argv[1] : nullptr);
  Matrices on_device{DeviceArray(kElements, 1),
                     DeviceArray(kElements, 2),
                     DeviceArray(kElements, 3),
                     nullptr,
                     nullptr,
                     nullptr};
  CHECK(cudaMalloc(&on_device.exact, kElements * sizeof(double)));
  CHECK(cudaMalloc(&on_device.magnitudes, kElements * sizeof(double)));
  CHECK(cudaMalloc(&on_device.wrong, sizeof(unsigned long long)));
  for (const int width : {1, 3, 4, 33, 36, 127, 128, 129, 132, 260, 515, 1020, 1024, 2047, 2048, 4096}) {
    CheckAll(variants, on_device, width);
  }
  for (int i = 0; i < 100; ++i) variants[0].run(on_device.M, on_device.N, on_device.P, kMost);  // clocks rise

  std::printf("All results are right. Median of 21: ms, TFLOP/s, share of cuBLAS.\n%-62s", "");
  const std::vector<int> widths{1024, 2048, 4096};
  std::vector<std::vector<double>> milliseconds;
  for (const int width : widths) {
    std::vector<Contender> contenders;
    for (const Variant& variant : variants) {
      contenders.push_back(
          {variant.name, [&, width] { variant.run(on_device.M, on_device.N, on_device.P, width); }});
    }
    milliseconds.push_back(MedianMilliseconds(contenders, 21));
    std::printf("%24d", width);
  }
  std::printf("\n");
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::printf("%-62s", variants[v].name.c_str());
    for (std::size_t w = 0; w < widths.size(); ++w) {
      const double ms = milliseconds[w][v];
      std::printf("  %7.4f %5.1f %5.1f %%", ms, 2e-9 * std::pow(widths[w], 3) / ms,
                  100 * milliseconds[w][0] / ms);
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int argc, char** argv) {
  return warplings::benchmarks::Main(argc, argv);
}
