// SPDX-License-Identifier: Apache-2.0
//
// The matrix product step by step, as chapter 6's handout tells it: one product at a time, tiles, coarsening,
// register tiles, vector loads, their layout, double buffering, the solution, cuBLAS. Each step changes one
// thing. Widths are multiples of 128: only the first steps look at edges.
//
//   matmul_steps [FILE]             times of all steps; FILE: libcublas, if the dynamic linker does not find
//   it matmul_steps [FILE] --once W    each step once at width W, for a profiler
//
// tests/benchmarks/matmul_steps_table runs both and writes results/matmul_steps.h200.txt.

#include <cublas_v2.h>
#include <cuda_pipeline.h>
#include <dlfcn.h>

#include <cmath>
#include <cstring>

#include "tests/benchmarks/measure.cuh"

namespace not_coarsened {
#include "tests/mutants/06_coarsening/coarsened_matmul.not_coarsened.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace coarsened {
#include "solutions/06_coarsening/coarsened_matmul.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace fast {
#include "solutions/06_coarsening/fast_matmul.cu"
}

namespace warplings::benchmarks {
namespace {

/// A thread for each element; both factors of every product come from global memory.
__global__ void OneProductAtATime(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
  P[row * width + col] = sum;
}

/// The solution of coarsened_matmul for any factor, with as many registers as the compiler likes.
template <int factor>
__global__ void Coarsened(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[32][32];
  __shared__ float Nds[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, first = blockIdx.x * 32 * factor + tx;
  const int phases = (width + 31) / 32;
  float sum[factor] = {};
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * 32 + tx, n_row = phase * 32 + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
#pragma unroll
    for (int c = 0; c < factor; ++c) {
      const int col = first + c * 32;
      Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < 32; ++k) sum[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int c = 0; c < factor; ++c) {
    const int col = first + c * 32;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

/// A block of 16 x 16 threads computes a tile of 16 patch x 16 patch elements, a thread `patch` rows and
/// columns of it that lie 16 apart: neighbouring threads own neighbouring columns. One float a load.
template <int patch, int depth>
__global__ __launch_bounds__(256) void RegisterTiles(const float* __restrict__ M, const float* __restrict__ N,
                                                     float* __restrict__ P, int width) {
  constexpr int kTile = 16 * patch;
  __shared__ float m_tile[kTile][depth];
  __shared__ float n_tile[depth][kTile];
  const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  float sum[patch][patch] = {};
  for (int k0 = 0; k0 < width; k0 += depth) {
#pragma unroll
    for (int i = thread; i < kTile * depth; i += 256) {
      m_tile[i / depth][i % depth] = M[(row0 + i / depth) * width + k0 + i % depth];
      n_tile[i / kTile][i % kTile] = N[(k0 + i / kTile) * width + col0 + i % kTile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float m[patch], n[patch];
#pragma unroll
      for (int i = 0; i < patch; ++i) m[i] = m_tile[ty + 16 * i][k], n[i] = n_tile[k][tx + 16 * i];
#pragma unroll
      for (int i = 0; i < patch; ++i) {
#pragma unroll
        for (int j = 0; j < patch; ++j) sum[i][j] += m[i] * n[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < patch; ++i) {
#pragma unroll
    for (int j = 0; j < patch; ++j) P[(row0 + ty + 16 * i) * width + col0 + tx + 16 * j] = sum[i][j];
  }
}

/// Patches of 8 x 8 in a tile of 128 x 128, all loads of four floats; M's tile lies transposed. A thread's
/// columns are eight side by side, or with `spread` two groups of four, 64 columns apart. With `buffers` = 2
/// the next tiles come from global memory into registers while these are multiplied, and a phase has one
/// barrier.
template <bool spread, int buffers>
__global__ __launch_bounds__(256) void VectorLoads(const float* __restrict__ M, const float* __restrict__ N,
                                                   float* __restrict__ P, int width) {
  constexpr int kTile = 128, kDepth = 8;
  __shared__ float4 m_tile[buffers][kDepth][kTile / 4 + 1];  // four floats more, for the transposed stores
  __shared__ float4 n_tile[buffers][kDepth][kTile / 4];
  const int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int m_row = thread / 2, m_col = thread % 2 * 4, n_row = thread / 32, n_vector = thread % 32;
  const float* m_from = M + (row0 + m_row) * width + m_col;
  const float* n_from = N + n_row * width + col0 + n_vector * 4;
  float4 m_next, n_next;
  const auto fetch = [&](int k0) {
    m_next = *reinterpret_cast<const float4*>(m_from + k0);
    n_next = *reinterpret_cast<const float4*>(n_from + static_cast<std::size_t>(k0) * width);
  };
  const auto put = [&](int buffer) {
    float(*const tile)[kTile + 4] = reinterpret_cast<float(*)[kTile + 4]>(m_tile[buffer]);
    tile[m_col][m_row] = m_next.x, tile[m_col + 1][m_row] = m_next.y;
    tile[m_col + 2][m_row] = m_next.z, tile[m_col + 3][m_row] = m_next.w;
    n_tile[buffer][n_row][n_vector] = n_next;
  };
  // The vectors of a thread's two groups, in a row of each tile.
  const int m_vector[2] = {2 * ty, 2 * ty + 1};
  const int n_mine[2] = {spread ? tx : 2 * tx, spread ? tx + 16 : 2 * tx + 1};
  float sum[8][8] = {};
  const auto multiply = [&](int buffer) {
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float m[8], n[8];
#pragma unroll
      for (int g = 0; g < 2; ++g) {
        *reinterpret_cast<float4*>(&m[4 * g]) = m_tile[buffer][k][m_vector[g]];
        *reinterpret_cast<float4*>(&n[4 * g]) = n_tile[buffer][k][n_mine[g]];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += m[i] * n[j];
      }
    }
  };

  fetch(0);
  if (buffers == 2) {
    put(0);
    __syncthreads();
    int use = 0;
    for (int k0 = kDepth; k0 < width; k0 += kDepth) {
      fetch(k0);
      multiply(use);
      use ^= 1;
      put(use);
      __syncthreads();
    }
    multiply(use);
  } else {
    for (int k0 = 0; k0 < width; k0 += kDepth) {
      if (k0 > 0) fetch(k0);
      put(0);
      __syncthreads();
      multiply(0);
      __syncthreads();
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int g = 0; g < 2; ++g) {
      reinterpret_cast<float4*>(&P[(row0 + 8 * ty + i) * width + col0])[n_mine[g]] =
          make_float4(sum[i][4 * g], sum[i][4 * g + 1], sum[i][4 * g + 2], sum[i][4 * g + 3]);
    }
  }
}

using Matmul = std::function<void(const float* M, const float* N, float* P, int width)>;

struct Step {
  std::string id;  ///< As the handout asks for it.
  const void* kernel;
  int threads;
  Matmul run;
};

/// cuBLAS in fp32 without tensor cores, loaded at run time. Its matrices are stored column by column: there
/// P = M x N is N x M.
Matmul Cublas(const char* file) {
  void* library = dlopen(file != nullptr ? file : "libcublas.so.13", RTLD_NOW);
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

using Kernel = void (*)(const float*, const float*, float*, int);

/// A step whose blocks have a tile of `rows` x `cols` elements of P.
Step OfKernel(std::string id, Kernel kernel, dim3 block, int rows, int cols) {
  return {std::move(id), reinterpret_cast<const void*>(kernel), static_cast<int>(block.x * block.y),
          [=](const float* M, const float* N, float* P, int width) {
            kernel<<<dim3(width / cols, width / rows), block>>>(M, N, P, width);
          }};
}

std::vector<Step> AllSteps(const char* cublas, bool with_cublas) {
  const dim3 square(32, 32), row(256);
  std::vector<Step> steps = {
      OfKernel("untiled", OneProductAtATime, square, 32, 32),
      OfKernel("tiled", not_coarsened::coarsened_matmul_kernel, square, 32, 32),
      OfKernel("coarsened_4_free", Coarsened<4>, square, 32, 128),
      OfKernel("coarsened_4", coarsened::coarsened_matmul_kernel, square, 32, 128),
      OfKernel("coarsened_8_free", Coarsened<8>, square, 32, 256),
      OfKernel("patch_2", RegisterTiles<2, 16>, row, 32, 32),
      OfKernel("patch_4", RegisterTiles<4, 16>, row, 64, 64),
      OfKernel("patch_8", RegisterTiles<8, 8>, row, 128, 128),
      OfKernel("vectors_conflicting", VectorLoads<false, 1>, row, 128, 128),
      OfKernel("vectors", VectorLoads<true, 1>, row, 128, 128),
      OfKernel("two_buffers", VectorLoads<true, 2>, row, 128, 128),
      {"solution", reinterpret_cast<const void*>(fast::fast_matmul_kernel<4>), 128, fast::fast_matmul},
  };
  if (with_cublas) steps.push_back({"cublas", nullptr, 0, Cublas(cublas)});
  return steps;
}

struct Matrices {
  float *M, *N, *P;
  double *exact, *magnitudes;
  unsigned long long* wrong;
};

void CheckAll(const std::vector<Step>& steps, const Matrices& on_device, int width) {
  const std::size_t n = static_cast<std::size_t>(width) * width;
  ExactMatmul<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(on_device.M, on_device.N, on_device.exact,
                                                            on_device.magnitudes, width);
  for (const Step& step : steps) {
    CHECK(cudaMemset(on_device.P, 0xff, n * sizeof(float)));  // NaN: what is not written is wrong
    CHECK(cudaMemset(on_device.wrong, 0, sizeof(unsigned long long)));
    step.run(on_device.M, on_device.N, on_device.P, width);
    CHECK(cudaGetLastError());
    CountWrong<<<64, 256>>>(on_device.P, on_device.exact, on_device.magnitudes, width, on_device.wrong);
    unsigned long long wrong = 0;
    CHECK(cudaMemcpy(&wrong, on_device.wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    if (wrong > 0) {
      std::printf("%s, width %d: %llu elements are wrong\n", step.id.c_str(), width, wrong);
      std::exit(1);
    }
  }
}

/// "registers threads blocks": what a kernel takes, and how many blocks are resident on a multiprocessor.
void PrintResources(const Step& step) {
  if (step.kernel == nullptr) {
    std::printf("%9s %7s %6s", "-", "-", "-");
    return;
  }
  cudaFuncAttributes attributes;
  int blocks = 0;
  CHECK(cudaFuncGetAttributes(&attributes, step.kernel));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step.kernel, step.threads, 0));
  std::printf("%9d %7d %6d", attributes.numRegs, step.threads, blocks);
}

int Main(int argc, char** argv) {
  const bool is_option = argc > 1 && std::strncmp(argv[1], "--", 2) == 0;
  const char* const cublas = argc > 1 && !is_option ? argv[1] : nullptr;
  const char* const what = argc > 2 ? argv[argc - 2] : "";
  const int once = std::strcmp(what, "--once") == 0 ? std::atoi(argv[argc - 1]) : 0;
  const int quick = std::strcmp(what, "--check") == 0 ? std::atoi(argv[argc - 1]) : 0;
  const std::size_t most = once > 0 ? once : quick > 0 ? quick : 4096;
  const std::size_t elements = most * most;
  const std::vector<Step> steps = AllSteps(cublas, quick == 0);
  Matrices on_device{DeviceArray(elements, 1),
                     DeviceArray(elements, 2),
                     DeviceArray(elements, 3),
                     nullptr,
                     nullptr,
                     nullptr};
  if (once > 0) {
    for (const Step& step : steps) step.run(on_device.M, on_device.N, on_device.P, once);
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  CHECK(cudaMalloc(&on_device.exact, elements * sizeof(double)));
  CHECK(cudaMalloc(&on_device.magnitudes, elements * sizeof(double)));
  CHECK(cudaMalloc(&on_device.wrong, sizeof(unsigned long long)));
  if (quick > 0) {
    CheckAll(steps, on_device, quick);
    std::printf("All results are right.\n");
    return 0;
  }
  PrintDevice();
  const std::vector<int> widths{1024, 2048, 4096};
  for (const int width : widths) CheckAll(steps, on_device, width);
  for (int i = 0; i < 100; ++i) steps.back().run(on_device.M, on_device.N, on_device.P, 4096);  // clocks rise
  std::vector<std::vector<double>> milliseconds;
  for (const int width : widths) {
    std::vector<Contender> contenders;
    for (const Step& step : steps) {
      contenders.push_back({step.id, [&, width] { step.run(on_device.M, on_device.N, on_device.P, width); }});
    }
    milliseconds.push_back(MedianMilliseconds(contenders, 21));
  }
  std::printf("All results are right. Median of 21, in ms:\n%-22s%9s %7s %6s", "step", "registers", "threads",
              "blocks");
  for (const int width : widths) std::printf(" %9d", width);
  std::printf("\n");
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::printf("%-22s", steps[s].id.c_str());
    PrintResources(steps[s]);
    for (std::size_t w = 0; w < widths.size(); ++w) std::printf(" %9.4f", milliseconds[w][s]);
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int argc, char** argv) {
  return warplings::benchmarks::Main(argc, argv);
}
