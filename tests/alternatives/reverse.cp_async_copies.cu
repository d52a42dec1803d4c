// SPDX-License-Identifier: Apache-2.0
// differs: the piece comes by asynchronous copies of 4 bytes; functors decide where an element belongs; blocks always
// have 1024 threads, most of them idle where pieces are short.

#include <cuda_pipeline.h>

#include "reverse.h"

struct Mirror {
  int length;
  __device__ int operator()(int i) const { return length - 1 - i; }
};

template <typename Order>
__device__ void carry(const int* from, int* to, int* tile, int length, Order order) {
  const int t = threadIdx.x;
  if (t < length) __pipeline_memcpy_async(tile + t, from + t, sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t < length) to[t] = tile[order(t)];
}

__global__ void __launch_bounds__(1024) carry_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece, length = n - start < kStaticPiece ? n - start : kStaticPiece;
  carry(in + start, out + start, tile, length, Mirror{length});
}

__global__ void __launch_bounds__(1024) carry_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece, length = n - start < piece ? n - start : piece;
  carry(in + start, out + start, tile, length, Mirror{length});
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = n / piece + (n % piece != 0);
  if (use_dynamic) carry_dynamic<<<blocks, 1024, piece * sizeof(int)>>>(in, out, n, piece);
  else carry_static<<<blocks, 1024>>>(in, out, n);
}
