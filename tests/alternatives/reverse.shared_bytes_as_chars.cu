// SPDX-License-Identifier: Apache-2.0
// differs: the dynamic array is one of chars seen as ints, the last threads load and the first store (both walk
// backwards), 64-bit indices, a table of function pointers on the host. Chinese comments, very long lines.

#include "reverse.h"

// 静态版本:数组大小在编译时已知。
__global__ void reverse_static(const int* in, int* out, long long n, long long piece) { __shared__ int tile[kStaticPiece]; const long long start = blockIdx.x * piece, length = n - start < piece ? n - start : piece; for (long long i = length - 1 - threadIdx.x; i >= 0; i -= blockDim.x) tile[i] = in[start + i]; __syncthreads(); for (long long i = length - 1 - threadIdx.x; i >= 0; i -= blockDim.x) out[start + i] = tile[length - 1 - i]; }

// 动态版本:数组大小由启动参数决定。
__global__ void reverse_dynamic(const int* in, int* out, long long n, long long piece) { extern __shared__ __align__(4) char raw[]; int* const tile = reinterpret_cast<int*>(raw); const long long start = blockIdx.x * piece, length = n - start < piece ? n - start : piece; for (long long i = length - 1 - threadIdx.x; i >= 0; i -= blockDim.x) tile[i] = in[start + i]; __syncthreads(); for (long long i = length - 1 - threadIdx.x; i >= 0; i -= blockDim.x) out[start + i] = tile[length - 1 - i]; }

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  using Kernel = void (*)(const int*, int*, long long, long long);
  static constexpr Kernel kernels[] = {reverse_static, reverse_dynamic};
  if (n != 0) kernels[use_dynamic]<<<(n + piece - 1) / piece, 96, use_dynamic ? sizeof(int) * piece : 0>>>(in, out, n, piece);
}
