// SPDX-License-Identifier: Apache-2.0
// mistake: in the answer's file: sectors_per_1024_elements is 256, the loads of A and B alone, where the question asks
//   for loads and stores together: three arrays of 4096 bytes are 384 sectors. The kernel is right, and so are the
//   other two answers (65536 / 2048 = 32 blocks, 108 - 32 = 76).
// want: Which arrays does the kernel touch for these 1024 elements, and which of them has your number counted?
#include "when_not_to.h"

namespace {

constexpr int kThreads = 256;

template <int kFactor>
__global__ void add_kernel(const float* A, const float* B, float* C, int length) {
  const long long begin = 1LL * blockIdx.x * kThreads * kFactor;
  A += begin;
  B += begin;
  C += begin;
  const long long left = length - begin;

  if (left >= kThreads * kFactor) {  // a full block asks no more
#pragma unroll
    for (int k = 0; k < kFactor; ++k) {
      const int i = k * kThreads + threadIdx.x;
      C[i] = A[i] + B[i];
    }
  } else {
    for (int i = threadIdx.x; i < left; i += kThreads) {
      C[i] = A[i] + B[i];
    }
  }
}

template <int kFactor>
void launch(const float* A, const float* B, float* C, int length) {
  const int served = kThreads * kFactor;
  add_kernel<kFactor><<<(length - 1) / served + 1, kThreads>>>(A, B, C, length);
}

}  // namespace

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  switch (coarse_factor) {
    case 1: launch<1>(A, B, C, length); break;
    case 2: launch<2>(A, B, C, length); break;
    case 4: launch<4>(A, B, C, length); break;
    case 8: launch<8>(A, B, C, length); break;
  }
}
