// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline of a block with shared state and of one thread: batches through two stages.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "tests/kernels/expect.h"

constexpr int kStages = 2, kThreads = 64;

__global__ void through_stages(const int* in, int* out, int batches) {
  __shared__ alignas(16) int stage[kStages][kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[fetched % kStages], in + fetched * kThreads,
                         cuda::aligned_size_t<16>(sizeof stage[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[batch * kThreads + threadIdx.x] = stage[batch % kStages][kThreads - 1 - threadIdx.x] + batch;
    pipeline.consumer_release();
  }
}

__global__ void of_one_thread(const int* in, int* out) {
  __shared__ int stage[kThreads];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = stage[(threadIdx.x + 1) % kThreads];
  pipeline.consumer_release();
}

int main() {
  const int batches = 6, count = batches * kThreads;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *dout = OnDevice<int>(count);
  through_stages<<<1, kThreads>>>(din, dout, batches);
  FINISH();
  auto out = FromDevice(dout, count);
  for (int i = 0; i < count; ++i) {
    const int batch = i / kThreads;
    ExpectEqual("out", i, out[i], in[batch * kThreads + kThreads - 1 - i % kThreads] + batch);
  }
  of_one_thread<<<1, kThreads>>>(din, dout);
  FINISH();
  out = FromDevice(dout, kThreads);
  for (int t = 0; t < kThreads; ++t) ExpectEqual("one", t, out[t], in[(t + 1) % kThreads]);
  return Result();
}
