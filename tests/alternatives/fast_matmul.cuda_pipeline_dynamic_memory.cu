// SPDX-License-Identifier: Apache-2.0
// differs: cuda::pipeline and cuda::memcpy_async of libcu++ with three stages in dynamic shared memory beyond 48 KB
// (cudaFuncSetAttribute); tiles of 128 x 128, 16 deep; zeros at the edges are stored by hand.

#include <cuda/pipeline>

#include "fast_matmul.h"

namespace {

constexpr int kSpan = 128, kDeep = 16, kThreads = 256, kStages = 3;

struct alignas(16) Stage {
  float m[kDeep][kSpan + 4];  // turned
  float n[kDeep][kSpan];
};

using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

template <int FLOATS>
__device__ __forceinline__ void bring(float* to, const float* from, bool exists, Pipeline& pipeline) {
  if (exists) {
    cuda::memcpy_async(to, from, cuda::aligned_size_t<4 * FLOATS>(4 * FLOATS), pipeline);
  } else {
#pragma unroll
    for (int f = 0; f < FLOATS; ++f) to[f] = 0.0f;
  }
}

template <int FLOATS>
__device__ __forceinline__ void fill(Stage& stage, const float* M, const float* N, int top, int left, int first, int width,
                                     Pipeline& pipeline) {
  pipeline.producer_acquire();
  if (first < width) {
#pragma unroll
    for (int e = 0; e < kSpan * kDeep / kThreads; ++e) {  // eight columns, four rows a warp
      const int c = threadIdx.x % 8 + e % 2 * 8, r = threadIdx.x / 8 + e / 2 * 32;
      bring<1>(&stage.m[c][r], M + (top + r) * width + first + c, top + r < width && first + c < width, pipeline);
    }
#pragma unroll
    for (int e = 0; e < kSpan * kDeep / kThreads / FLOATS; ++e) {
      const int p = (e * kThreads + threadIdx.x) * FLOATS, r = p / kSpan, c = p % kSpan;
      bring<FLOATS>(&stage.n[r][c], N + (first + r) * width + left + c, first + r < width && left + c < width, pipeline);
    }
  }
  pipeline.producer_commit();
}

template <int FLOATS>
__global__ void __launch_bounds__(kThreads) pipelined(const float* __restrict__ M, const float* __restrict__ N,
                                                      float* __restrict__ P, int width) {
  extern __shared__ __align__(16) unsigned char memory[];
  Stage* const stages = reinterpret_cast<Stage*>(memory);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int top = blockIdx.y * kSpan, left = blockIdx.x * kSpan;
  const int row = warp / 2 * 32 + lane / 8 * 4, col = warp % 2 * 64 + lane % 8 * 4;

  Pipeline pipeline = cuda::make_pipeline();
  for (int s = 0; s < kStages - 1; ++s) fill<FLOATS>(stages[s], M, N, top, left, s * kDeep, width, pipeline);

  float sum[8][8] = {};
  for (int first = 0, use = 0; first < width; first += kDeep) {
    cuda::pipeline_consumer_wait_prior<kStages - 2>(pipeline);
    __syncthreads();
    const int free = use == 0 ? kStages - 1 : use - 1;
    fill<FLOATS>(stages[free], M, N, top, left, first + (kStages - 1) * kDeep, width, pipeline);
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&stages[use].m[k][row]);
      const float4 a1 = *reinterpret_cast<const float4*>(&stages[use].m[k][row + 16]);
      const float4 b0 = *reinterpret_cast<const float4*>(&stages[use].n[k][col]);
      const float4 b1 = *reinterpret_cast<const float4*>(&stages[use].n[k][col + 32]);
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
    }
    pipeline.consumer_release();
    use = use + 1 == kStages ? 0 : use + 1;
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = top + row + i % 4 + i / 4 * 16;
    if (r >= width) break;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int c = left + col + j * 8;
      if constexpr (FLOATS == 4) {
        if (c < width) *reinterpret_cast<float4*>(&P[r * width + c]) = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (c + e < width) P[r * width + c + e] = sum[i][j + e];
      }
    }
  }
}

template <int FLOATS>
void launch(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kSpan - 1) / kSpan;
  constexpr int bytes = kStages * sizeof(Stage);
  cudaFuncSetAttribute(pipelined<FLOATS>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  pipelined<FLOATS><<<dim3(tiles, tiles), kThreads, bytes>>>(M, N, P, width);
}

}  // namespace

void fast_matmul(const float* M, const float* N, float* P, int width) {
  if (width % 4 == 0) {
    launch<4>(M, N, P, width);
  } else {
    launch<1>(M, N, P, width);
  }
}
