// SPDX-License-Identifier: Apache-2.0
//
// The kernels to which the model is fitted. Each stresses one part of a card.
#pragma once

#include "tests/benchmarks/estimate_case.cuh"

namespace warplings::benchmarks::fit {

__global__ void VectorAdd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void CopyFour(const float4* a, float4* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i];
}

__global__ void Gather(const float* a, float* c, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i * stride];
}

__global__ void Scatter(const float* a, float* c, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i * stride] = a[i];
}

/// kChains independent chains of multiply-adds per thread.
template <class T, int kChains>
__global__ void FmaChains(float* c, int steps, T factor) {
  T x[kChains];
  for (int k = 0; k < kChains; ++k) x[k] = static_cast<T>(threadIdx.x + k);
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < kChains; ++k) x[k] = x[k] * factor + factor;
  }
  T sum = 0;
  for (int k = 0; k < kChains; ++k) sum += x[k];
  c[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(sum);
}

/// A grid-stride loop over the whole array.
__global__ void LoopedCopy(const float* a, float* c, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i];
}

/// Pointer chasing: each load's address is the value that the previous one read; all lanes read the same
/// address.
__global__ void Chase(const int* next, int* c, int hops) {
  int at = blockIdx.x;
#pragma unroll 1
  for (int i = 0; i < hops; ++i) at = next[at];
  c[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__global__ void NaiveMatmul(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || col >= width) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
  P[row * width + col] = sum;
}

__global__ void SharedStride(float* c, int steps, int stride) {
  __shared__ float words[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = static_cast<float>(i);
  __syncthreads();
  float sum = 0;
  int at = threadIdx.x * stride;
  for (int i = 0; i < steps; ++i, at += 32) sum += words[at & 8191];
  c[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void BarrierLoop(float* c, int steps) {
  __shared__ float words[1024];
  const int t = threadIdx.x, last = blockDim.x - 1;
  words[t] = static_cast<float>(t);
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    const float other = words[last - t];
    __syncthreads();
    words[t] = other * 0.5f;
  }
  c[blockIdx.x * blockDim.x + t] = words[t];
}

__global__ void GlobalHistogram(const int* values, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);
}

__global__ void FivePoints(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= width - 1) return;
  const int i = y * width + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

/// The lanes of a warp diverge into `ways` branches.
__global__ void Diverging(float* c, int steps, int ways) {
  const int way = threadIdx.x % ways;
  float x = static_cast<float>(threadIdx.x);
  for (int w = 0; w < ways; ++w) {
    if (way != w) continue;
    for (int i = 0; i < steps; ++i) x = x * 0.999f + static_cast<float>(w);
  }
  c[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void SpecialFunctions(float* c, int steps) {
  float x = static_cast<float>(threadIdx.x), y = 1;
  for (int i = 0; i < steps; ++i) x = __sinf(x), y = __expf(-y * x);
  c[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

__global__ void Xorshift(int* c, int steps) {
  unsigned x = threadIdx.x + 1, y = blockIdx.x + 1;
  for (int i = 0; i < steps; ++i) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    y = y * 1664525u + 1013904223u;
  }
  c[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(x ^ y);
}

inline EstimateCases MemoryCases() {
  EstimateCases cases;
  const auto add = [&](std::string name, auto prepare) {
    cases.push_back({std::move(name), Role::kFit, prepare});
  };
  for (const int n : {1 << 20, 1 << 22, 1 << 24, 1 << 25}) {
    add("vector_add/" + std::to_string(n), [n] {
      return [a = Floats(n), b = Floats(n), c = Zeros(n), n] {
        VectorAdd<<<BlocksFor(n, 256), 256>>>(a.get(), b.get(), c.get(), n);
      };
    });
  }
  for (const unsigned block : {32u, 64u}) {
    add("small_blocks/" + std::to_string(block), [block] {
      constexpr int n = 1 << 22;
      return [a = Floats(n), b = Floats(n), c = Zeros(n), block] {
        VectorAdd<<<BlocksFor(n, block), block>>>(a.get(), b.get(), c.get(), n);
      };
    });
  }
  for (const int n : {1 << 20, 1 << 23}) {
    add("copy_float4/" + std::to_string(n), [n] {
      return [a = Floats(4 * n), c = Zeros(4 * n), n] {
        CopyFour<<<BlocksFor(n, 256), 256>>>(reinterpret_cast<const float4*>(a.get()),
                                             reinterpret_cast<float4*>(c.get()), n);
      };
    });
  }
  for (const int stride : {2, 8, 32}) {
    constexpr int n = 1 << 20;
    add("gather_stride/" + std::to_string(stride), [stride] {
      return [a = Floats(static_cast<std::size_t>(n) * stride), c = Zeros(n), stride] {
        Gather<<<BlocksFor(n, 256), 256>>>(a.get(), c.get(), n, stride);
      };
    });
    add("scatter_stride/" + std::to_string(stride), [stride] {
      return [a = Floats(n), c = Zeros(static_cast<std::size_t>(n) * stride), stride] {
        Scatter<<<BlocksFor(n, 256), 256>>>(a.get(), c.get(), n, stride);
      };
    });
  }
  for (const auto [blocks, threads] : {std::pair{132u, 128u}, {132u, 1024u}, {264u, 256u}, {1056u, 256u}}) {
    add("looped_copy/" + std::to_string(blocks) + "x" + std::to_string(threads), [=] {
      constexpr int n = 1 << 23;
      return [a = Floats(n), c = Zeros(n), blocks = blocks, threads = threads] {
        LoopedCopy<<<blocks, threads>>>(a.get(), c.get(), n);
      };
    });
  }
  for (const auto [words, hops] : {std::pair{1 << 24, 256}, {1 << 19, 1024}, {1 << 11, 2048}}) {
    add("chase/" + std::to_string(words), [=] {
      return [next = Integers(words, words), c = Zeros(132 * 32), hops = hops] {
        Chase<<<132, 32>>>(AsInts(next), AsInts(c), hops);
      };
    });
  }
  for (const int bins : {1, 256, 1 << 16}) {
    add("histogram_global/" + std::to_string(bins), [bins] {
      constexpr int n = 1 << 21;
      return [values = Integers(n, bins), counts = Zeros(bins)] {
        GlobalHistogram<<<BlocksFor(n, 256), 256>>>(AsInts(values), AsInts(counts), n);
      };
    });
  }
  for (const int width : {1024, 4096}) {
    add("five_points/" + std::to_string(width), [width] {
      const std::size_t n = static_cast<std::size_t>(width) * width;
      return [in = Floats(n), out = Zeros(n), width] {
        FivePoints<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(in.get(), out.get(), width);
      };
    });
  }
  for (const auto [width, x, y] : {std::tuple{512, 16, 16}, {1024, 16, 16}, {1024, 32, 32}, {1024, 8, 32}}) {
    const std::string shape = std::to_string(width) + "," + std::to_string(x) + "x" + std::to_string(y);
    add("naive_matmul/" + shape, [width = width, x = x, y = y] {
      const std::size_t n = static_cast<std::size_t>(width) * width;
      return [M = Floats(n), N = Floats(n), P = Zeros(n), width, x, y] {
        NaiveMatmul<<<dim3(width / x, width / y), dim3(x, y)>>>(M.get(), N.get(), P.get(), width);
      };
    });
  }
  return cases;
}

inline EstimateCases ComputeCases() {
  EstimateCases cases;
  const auto add = [&](std::string name, unsigned blocks, unsigned threads, auto launch) {
    cases.push_back({std::move(name), Role::kFit, [=] {
                       return [=, c = Zeros(std::size_t{blocks} * threads)] { launch(blocks, threads, c); };
                     }});
  };
  const auto chains = [&]<class T, int kChains>(const char* type, int steps) {
    for (const unsigned blocks : {132u, 1056u}) {
      add(std::string("fma_chains/") + type + "," + std::to_string(kChains) + "," + std::to_string(blocks),
          blocks, 256, [steps](unsigned b, unsigned t, const FloatArray& c) {
            FmaChains<T, kChains><<<b, t>>>(c.get(), steps, T(0.999));
          });
    }
  };
  chains.operator()<float, 1>("float", 8192);
  chains.operator()<float, 4>("float", 4096);
  chains.operator()<double, 1>("double", 4096);
  chains.operator()<double, 4>("double", 2048);
  for (const int stride : {1, 2, 8, 32}) {
    add("shared_stride/" + std::to_string(stride), 1056, 256,
        [stride](unsigned b, unsigned t, const FloatArray& c) {
          SharedStride<<<b, t>>>(c.get(), 1024, stride);
        });
  }
  for (const unsigned threads : {64u, 256u, 1024u}) {
    add("barrier_loop/" + std::to_string(threads), 264, threads,
        [](unsigned b, unsigned t, const FloatArray& c) { BarrierLoop<<<b, t>>>(c.get(), 512); });
  }
  for (const int ways : {1, 4, 32}) {
    add("diverging/" + std::to_string(ways), 1056, 256,
        [ways](unsigned b, unsigned t, const FloatArray& c) { Diverging<<<b, t>>>(c.get(), 512, ways); });
  }
  add("special_functions/1056", 1056, 256,
      [](unsigned b, unsigned t, const FloatArray& c) { SpecialFunctions<<<b, t>>>(c.get(), 1024); });
  add("xorshift/1056", 1056, 256,
      [](unsigned b, unsigned t, const FloatArray& c) { Xorshift<<<b, t>>>(AsInts(c), 2048); });
  return cases;
}

}  // namespace warplings::benchmarks::fit
