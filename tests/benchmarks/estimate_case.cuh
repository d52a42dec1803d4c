// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/benchmarks/measure.cuh"

namespace warplings::benchmarks {

/// Reference-counted device memory.
using FloatArray = std::shared_ptr<float>;

/// n pseudo-random values from -1 to 1, made on the host, because kernels that fill arrays would be counted.
inline FloatArray Floats(std::size_t n) {
  std::vector<float> values(n);
  std::uint32_t x = 12345;
  for (float& value : values) {
    x = x * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<std::int32_t>(x)) * 0x1p-31f;
  }
  float* array = nullptr;
  CHECK(cudaMalloc(&array, n * sizeof(float)));
  CHECK(cudaMemcpy(array, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  return {array, [](float* p) { cudaFree(p); }};
}

/// n zeros.
inline FloatArray Zeros(std::size_t n) {
  float* array = nullptr;
  CHECK(cudaMalloc(&array, n * sizeof(float)));
  CHECK(cudaMemset(array, 0, n * sizeof(float)));
  return {array, [](float* p) { cudaFree(p); }};
}

/// n pseudo-random integers from 0 to limit - 1, stored in an array of floats.
inline FloatArray Integers(std::size_t n, std::uint32_t limit) {
  std::vector<std::uint32_t> values(n);
  std::uint64_t x = 88172645463325252ull;
  for (std::uint32_t& value : values) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    value = static_cast<std::uint32_t>((x >> 32) * limit >> 32);
  }
  float* array = nullptr;
  CHECK(cudaMalloc(&array, n * sizeof(float)));
  CHECK(cudaMemcpy(array, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  return {array, [](float* p) { cudaFree(p); }};
}

inline int* AsInts(const FloatArray& array) {
  return reinterpret_cast<int*>(array.get());
}

/// The use of a kernel: the model is fitted to some families of kernels and evaluated on the others. The
/// families were assigned before any kernel was timed.
enum class Role { kFit, kHeldOut };

/// One kernel at one size. `prepare` makes the arrays and returns what launches it.
struct EstimateCase {
  std::string name;  ///< "vector_add/4194304"; the family stands before the slash.
  Role role = Role::kFit;
  std::function<std::function<void()>()> prepare;
};
using EstimateCases = std::vector<EstimateCase>;

inline unsigned BlocksFor(std::size_t threads, unsigned block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace warplings::benchmarks
