// SPDX-License-Identifier: Apache-2.0
// Helpers for the programs below tests/kernels. Each program checks its own values: if they are right it
// prints nothing and returns 0, otherwise it prints what is wrong and returns 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline int failures = 0;

inline void ExpectCall(cudaError_t got, cudaError_t wanted, const char* call, int line) {
  if (got == wanted) return;
  std::printf("line %d: %s gives %s, not %s\n", line, call, cudaGetErrorName(got), cudaGetErrorName(wanted));
  std::exit(1);
}
#define CUDA(call) ExpectCall((call), cudaSuccess, #call, __LINE__)
#define EXPECT_ERROR(wanted, call) ExpectCall((call), (wanted), #call, __LINE__)
/// Checks after a launch that neither the launch nor the kernel has failed.
#define FINISH() (CUDA(cudaGetLastError()), CUDA(cudaDeviceSynchronize()))

/// Counts a wrong value; true if it should be printed, as the first few are.
inline bool Wrong() {
  return ++failures <= 5;
}

inline bool Same(double got, double wanted) {
  return got == wanted || (std::isnan(got) && std::isnan(wanted));
}

template <class T, class U>
void ExpectEqual(const char* what, std::size_t i, T got, U wanted) {
  if (got == static_cast<T>(wanted)) return;
  if (Wrong()) std::printf("%s[%zu] is %.17g, not %.17g\n", what, i, double(got), double(wanted));
}

/// Compares bits, for values that a double cannot represent.
inline void ExpectBits(const char* what, std::size_t i, unsigned long long got, unsigned long long wanted) {
  if (got != wanted && Wrong()) std::printf("%s[%zu] is 0x%llx, not 0x%llx\n", what, i, got, wanted);
}

/// |got - wanted| <= bound, false for a NaN on either side.
inline void ExpectNear(const char* what, std::size_t i, double got, double wanted, double bound) {
  if (!(std::fabs(got - wanted) <= bound) && !(got == wanted) && Wrong())
    std::printf("%s[%zu] is %.17g, not %.17g within %g\n", what, i, got, wanted, bound);
}

/// Distance in units in the last place (ulp) of the float nearest to `wanted`; 0 if both are NaN or equal.
inline void ExpectUlps(const char* what, std::size_t i, float got, double wanted, double ulps) {
  if (Same(got, static_cast<float>(wanted))) return;
  const float to = static_cast<float>(std::fabs(wanted));
  const double unit = double(std::nextafterf(to, INFINITY)) - to;
  if (!(std::fabs(got - wanted) <= ulps * unit) && Wrong())
    std::printf("%s[%zu] is %.9g, not %.9g within %g ulp\n", what, i, got, wanted, ulps);
}
inline void ExpectUlps(const char* what, std::size_t i, double got, double wanted, double ulps) {
  if (Same(got, wanted)) return;
  const double to = std::fabs(wanted);
  const double unit = std::nextafter(to, INFINITY) - to;
  if (!(std::fabs(got - wanted) <= ulps * unit) && Wrong())
    std::printf("%s[%zu] is %.17g, not %.17g within %g ulp\n", what, i, got, wanted, ulps);
}

/// Allocates device memory with `values`, or with `count` uninitialised elements.
template <class T>
T* OnDevice(const std::vector<T>& values) {
  T* device = nullptr;
  CUDA(cudaMalloc(&device, values.size() * sizeof(T)));
  CUDA(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}
template <class T>
T* OnDevice(std::size_t count) {
  T* device = nullptr;
  CUDA(cudaMalloc(&device, count * sizeof(T)));
  return device;
}
template <class T>
std::vector<T> FromDevice(const T* device, std::size_t count) {
  std::vector<T> values(count);
  CUDA(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// Pseudo-random numbers, the same on every machine: small multiples of 1/8, whose sums are exact in fp32.
inline std::vector<float> Eighths(std::size_t count, unsigned seed = 1) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 24) - 128) / 8.0f;
  }
  return values;
}
inline std::vector<int> Integers(std::size_t count, unsigned seed = 1) {
  std::vector<int> values(count);
  for (int& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<int>(seed >> 8) - (1 << 23);
  }
  return values;
}

inline int Result() {
  if (failures > 5) std::printf("%d values are wrong\n", failures);
  return failures != 0;
}
