// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass
// Pieces are reversed on the CPU and come back through a device symbol; a kernel moves them to the output.

#include "reverse.h"

#include <vector>
__device__ int box[1 << 20];
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int i = blockIdx.x * kStaticPiece + threadIdx.x;
  if (i < n) tile[threadIdx.x] = box[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * piece + threadIdx.x;
  if (i < n) tile[threadIdx.x] = box[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  std::vector<int> h(n), r(n);
  cudaMemcpy(h.data(), in, n * 4, cudaMemcpyDeviceToHost);
  for (int s = 0; s < n; s += piece) {
    const int len = n - s < piece ? n - s : piece;
    for (int t = 0; t < len; ++t) r[s + t] = h[s + len - 1 - t];
  }
  cudaMemcpyToSymbol(box, r.data(), n * 4);
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) reverse_dynamic<<<blocks, piece, piece * 4>>>(in, out, n, piece);
  else reverse_static<<<blocks, piece>>>(in, out, n);
}
