// SPDX-License-Identifier: Apache-2.0
// differs: elements are put into shared memory in reverse order and stored straight; one template for both kernels
// (if constexpr), a 2-D block. Windows line ends, no newline at the end.

#include "reverse.h"

template <bool DYNAMIC>
__global__ void reverse_kernel(const int* __restrict__ in, int* __restrict__ out, const int n, const int piece) {
  extern __shared__ int launched[];
  int* tile = launched;
  if constexpr (!DYNAMIC) {
    __shared__ int fixed[kStaticPiece];
    tile = fixed;
  }
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int here = blockIdx.x * piece + t;
  const int last = min(static_cast<int>(blockIdx.x + 1) * piece, n) - 1 - static_cast<int>(blockIdx.x) * piece;
  const bool mine = t <= last;
  if (mine) tile[last - t] = in[here];
  __syncthreads();
  if (mine) out[here] = tile[t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const dim3 grid((n + piece - 1) / piece);
  const dim3 block(piece < 16 ? piece : 16, (piece + 15) / 16);
  if (use_dynamic)
    reverse_kernel<true><<<grid, block, piece * sizeof(int)>>>(in, out, n, piece);
  else
    reverse_kernel<false><<<grid, block>>>(in, out, n, kStaticPiece);
}