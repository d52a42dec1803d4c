// SPDX-License-Identifier: Apache-2.0
// mistake: each whole warp writes its 32 values to shared memory, those of lanes without an element included: the
//   kernel writes up to ceil(piece / 32) * 32 ints, but the launch passes (as it has to) the bytes of piece
//   ints. piece = 40: places 0 to 63 are written and there are 40; out of range where 32 does not divide piece.
//   The static kernel, 256 ints, is right, the short last piece too.
// want: For piece = 40: which places of the array do the threads of warp 0 write, and how long is the array?
#include "reverse.h"

// A warp turns its 32 elements round among its registers, and stores them in the mirrored warp's place. The
// array then has the padding first: `pad` places that nobody wants.
__device__ void reverse_by_warps(int* s, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int warps = (length + 31) / 32;
  const int pad = warps * 32 - length;

  const int t = threadIdx.x;
  const int warp = t / 32;
  const int lane = t % 32;

  int v = t < length ? in[start + t] : 0;
  v = __shfl_xor_sync(0xffffffff, v, 31);
  if (warp < warps) s[(warps - 1 - warp) * 32 + lane] = v;
  __syncthreads();
  if (t < length) out[start + t] = s[pad + t];
}

__global__ void k_static(const int* in, int* out, int n) {
  __shared__ int s[kStaticPiece];
  reverse_by_warps(s, in, out, n, kStaticPiece);
}

__global__ void k_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int d[];
  reverse_by_warps(d, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n <= 0) return;
  const int blocks = (n - 1) / piece + 1;
  const int threads = ((piece - 1) / 32 + 1) * 32;  // the shuffle wants whole warps
  if (use_dynamic)
    k_dynamic<<<blocks, threads, piece * sizeof(int)>>>(in, out, n, piece);
  else
    k_static<<<blocks, threads>>>(in, out, n);
}
