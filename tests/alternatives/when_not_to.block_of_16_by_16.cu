// SPDX-License-Identifier: Apache-2.0
// differs: a block's 256 threads lie 16 x 16; elements from the
// last to the first; a functor adds. Byte order mark, Chinese comments, no newline at the end.

#include "when_not_to.h"

struct Plus {
  const float *a, *b;
  __device__ float operator()(long long i) const { return a[i] + b[i]; }
};

template <class F>
__global__ void fill(float* C, F f, long long length, int factor) {
  const long long t = threadIdx.y * 16 + threadIdx.x;  // 块内的编号
  for (int c = factor - 1; c >= 0; --c) {
    const long long i = (static_cast<long long>(blockIdx.x) * factor + c) * 256 + t;
    if (i < length) C[i] = f(i);
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const long long segment = 256LL * coarse_factor;
  const unsigned blocks = static_cast<unsigned>((length + segment - 1) / segment);
  fill<<<blocks, dim3(16, 16)>>>(C, Plus{A, B}, length, coarse_factor);
}