// SPDX-License-Identifier: Apache-2.0
// differs: the factor is a template parameter (a switch picks it); where it is 4 or 8 and everything is aligned, a thread
// takes float4s. Windows line ends.

#include <cstdint>

#include "when_not_to.h"

template <int FACTOR, typename T>
__global__ void add(const T* A, const T* B, T* C, int length) {
  const int first = blockIdx.x * 256 * FACTOR + threadIdx.x;
#pragma unroll
  for (int f = 0; f < FACTOR; ++f) {
    if (const int i = first + f * 256; i < length) {
      if constexpr (sizeof(T) == 16) {
        const T a = A[i], b = B[i];
        C[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
      } else {
        C[i] = A[i] + B[i];
      }
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int blocks = (length + 256 * coarse_factor - 1) / (256 * coarse_factor);
  const std::uintptr_t all = reinterpret_cast<std::uintptr_t>(A) | reinterpret_cast<std::uintptr_t>(B) | reinterpret_cast<std::uintptr_t>(C);
  if (coarse_factor >= 4 && all % 16 == 0 && length % 4 == 0) {
    const float4* a = reinterpret_cast<const float4*>(A);
    const float4* b = reinterpret_cast<const float4*>(B);
    float4* c = reinterpret_cast<float4*>(C);
    if (coarse_factor == 4) add<1><<<blocks, 256>>>(a, b, c, length / 4);
    else add<2><<<blocks, 256>>>(a, b, c, length / 4);
    return;
  }
  switch (coarse_factor) {
    case 1: add<1><<<blocks, 256>>>(A, B, C, length); break;
    case 2: add<2><<<blocks, 256>>>(A, B, C, length); break;
    case 4: add<4><<<blocks, 256>>>(A, B, C, length); break;
    default: add<8><<<blocks, 256>>>(A, B, C, length);
  }
}
