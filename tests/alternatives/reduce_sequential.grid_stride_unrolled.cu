// SPDX-License-Identifier: Apache-2.0
// differs: a small grid strides over the segments, 128 threads with two elements each; the tree is unrolled by hand and
// ends in three lanes' worth of __syncwarp steps. Byte order mark, Chinese comments.

#include <algorithm>

#include "reduce_sequential.h"

__global__ void stride_kernel(const float* X, float* sums, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  for (int segment = blockIdx.x; segment < segments; segment += gridDim.x) {
    const int a = segment * SEGMENT + t, b = a + 128;
    float v = a < n ? X[a] : 0.0f;
    v += b < n ? X[b] : 0.0f;
    s[t] = v;
    __syncthreads();
    if (t < 64) s[t] = v = v + s[t + 64];
    __syncthreads();
    if (t < 32) {
      // 只剩一个线程束,不再需要整个块的同步
      v += s[t + 32];
      s[t] = v; __syncwarp();
      v += s[t ^ 16]; __syncwarp(); s[t] = v; __syncwarp();
      v += s[t ^ 8]; __syncwarp(); s[t] = v; __syncwarp();
      v += s[t ^ 4]; __syncwarp(); s[t] = v; __syncwarp();
      v += s[t ^ 2]; __syncwarp(); s[t] = v; __syncwarp();
      v += s[t ^ 1];
      if (t == 0) sums[segment] = v;
    }
    __syncthreads();
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  stride_kernel<<<std::min(segments, 6), 128>>>(X, sums, n);
}
