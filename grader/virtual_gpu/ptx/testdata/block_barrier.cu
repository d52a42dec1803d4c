// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
__global__ void k(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int buf[256];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(buf + threadIdx.x, x + threadIdx.x, cuda::aligned_size_t<4>(4), bar);
  auto tok = bar.arrive();
  bar.wait(std::move(tok));
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(buf, x, sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  cuda::atomic_ref<int, cuda::thread_scope_device> r(x[3]);
  r.fetch_add(2, cuda::memory_order_release);
  while (r.load(cuda::memory_order_acquire) < 5)
    ;
  x[7] = buf[3];
}
