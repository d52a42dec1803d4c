// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

/// If a runtime call failed, prints where and ends the program.
#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

namespace warplings::benchmarks {

/// One of the functions that are compared; it launches its kernels without waiting for them.
struct Contender {
  std::string name;
  std::function<void()> run;
};

/// The median time of each contender over `rounds` rounds, in milliseconds. In each round every contender has
/// one turn, so that changes of the clock affect all of them. A turn is two runs, of which the second is
/// timed with two events, so that the L2 cache contains what the contender itself left there.
inline std::vector<double> MedianMilliseconds(const std::vector<Contender>& contenders, int rounds) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<std::vector<float>> samples(contenders.size());
  for (int round = -1; round < rounds; ++round) {  // round -1 warms up
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      contenders[c].run();
      CHECK(cudaEventRecord(begin));
      contenders[c].run();
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float milliseconds = 0;
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      if (round >= 0) samples[c].push_back(milliseconds);
    }
  }
  CHECK(cudaGetLastError());
  std::vector<double> medians;
  for (std::vector<float>& of_one : samples) {
    std::nth_element(of_one.begin(), of_one.begin() + of_one.size() / 2, of_one.end());
    medians.push_back(of_one[of_one.size() / 2]);
  }
  return medians;
}

/// Fills an array with pseudo-random values from -1 to 1 that depend only on `seed` and the index.
__global__ void Fill(float* to, std::size_t n, std::uint32_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u + seed;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    to[i] = static_cast<float>((x ^ (x >> 16)) >> 8) * 0x1p-23f - 1.0f;
  }
}

inline float* DeviceArray(std::size_t n, std::uint32_t seed) {
  float* array = nullptr;
  CHECK(cudaMalloc(&array, n * sizeof(float)));
  Fill<<<1024, 256>>>(array, n, seed);
  CHECK(cudaDeviceSynchronize());
  return array;
}

/// Reads n times 16 bytes, all zero. The store, which never executes, keeps the compiler from removing the
/// loads.
__global__ void Sweep(const uint4* buffer, std::size_t n, unsigned* never) {
  unsigned any = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 four = buffer[i];
    any |= four.x | four.y | four.z | four.w;
  }
  if (any != 0) *never = any;
}

/// Times runs in the way of grader/cuda_gpu/stopwatch.h: sweeps are queued before each timed run, so that the
/// L2 cache holds nothing of the previous run, and so that the host's calls are queued before the first event
/// is reached.
class ColdTimer {
 public:
  ColdTimer() {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    bytes_ = 2 * static_cast<std::size_t>(properties.l2CacheSize);
    sweep_blocks_ = 8 * properties.multiProcessorCount;
    CHECK(cudaMalloc(&buffer_, bytes_));
    CHECK(cudaMemset(buffer_, 0, bytes_));
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
  }

  double Microseconds(const std::function<void()>& run) {
    constexpr int kQueuedSweeps = 8;
    for (int i = 0; i < kQueuedSweeps; ++i) {
      Sweep<<<sweep_blocks_, 256>>>(static_cast<const uint4*>(buffer_), bytes_ / sizeof(uint4),
                                    static_cast<unsigned*>(buffer_));
    }
    CHECK(cudaEventRecord(begin_));
    run();
    CHECK(cudaEventRecord(end_));
    CHECK(cudaDeviceSynchronize());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1e3;
  }

 private:
  void* buffer_ = nullptr;
  std::size_t bytes_ = 0;
  unsigned sweep_blocks_ = 0;
  cudaEvent_t begin_, end_;
};

/// Prints "NVIDIA H200, driver 13.0": the device on which the figures below it were measured.
inline void PrintDevice() {
  cudaDeviceProp properties;
  int driver = 0;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("%s, driver for CUDA %d.%d, built with CUDA %d.%d\n", properties.name, driver / 1000,
              driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

/// P = M x N, width x width, and the sums of the products' magnitudes, both in double precision.
__global__ void ExactMatmul(const float* M, const float* N, double* P, double* magnitudes, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || col >= width) return;
  double sum = 0, magnitude = 0;
  for (int k = 0; k < width; ++k) {
    const double product = static_cast<double>(M[row * width + k]) * N[k * width + col];
    sum += product;
    magnitude += fabs(product);
  }
  P[row * width + col] = sum;
  magnitudes[row * width + col] = magnitude;
}

/// Counts the elements whose error is larger than any order of fp32 additions explains (the bound of
/// reference/matmul.h).
__global__ void CountWrong(const float* P, const double* exact, const double* magnitudes, int width,
                           unsigned long long* wrong) {
  const double gamma = width * 0x1p-24 / (1 - width * 0x1p-24);
  const std::size_t n = static_cast<std::size_t>(width) * width;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    if (!(fabs(P[i] - exact[i]) <= gamma * magnitudes[i])) atomicAdd(wrong, 1ull);
  }
}

}  // namespace warplings::benchmarks
