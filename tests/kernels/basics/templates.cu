// SPDX-License-Identifier: Apache-2.0
// Kernels as templates over types, sizes and operations, with if constexpr and unrolled loops.
#include <type_traits>

#include "tests/kernels/expect.h"

template <class T, int kPerThread, bool kReverse>
__global__ void transform(const T* in, T* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kPerThread;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int i = first + k;
    if (i >= n) continue;
    T value = in[kReverse ? n - 1 - i : i];
    if constexpr (std::is_floating_point_v<T>) {
      value = value / T(2);
    } else {
      value = static_cast<T>(value >> 1);
    }
    out[i] = value;
  }
}

template <class T, int kPerThread, bool kReverse>
void Test(const char* name) {
  const int n = 777;
  std::vector<T> in;
  for (int value : Integers(n)) in.push_back(static_cast<T>(value));
  T *din = OnDevice(in), *dout = OnDevice<T>(n);
  const int threads = (n + kPerThread - 1) / kPerThread;
  transform<T, kPerThread, kReverse><<<(threads + 63) / 64, 64>>>(din, dout, n);
  FINISH();
  const auto out = FromDevice(dout, n);
  for (int i = 0; i < n; ++i) {
    const T value = in[kReverse ? n - 1 - i : i];
    if constexpr (std::is_floating_point_v<T>) {
      ExpectEqual(name, i, out[i], value / 2);
    } else {
      ExpectEqual(name, i, out[i], static_cast<T>(value >> 1));
    }
  }
}

int main() {
  Test<float, 1, false>("float");
  Test<double, 4, true>("double");
  Test<int, 3, true>("int");
  Test<unsigned char, 8, false>("unsigned char");
  Test<short, 2, true>("short");
  Test<long long, 5, false>("long long");
  return Result();
}
