// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: grader_fault; pass
// Instructions that nobody needs: mbarrier, redux, match.any, bfind, vote, prmt, lop3, dp4a, isspacep, brkpt, trap in another branch, pmevent.

#include "reduce_sequential.h"
__global__ void k(unsigned* p) {
  __shared__ unsigned long long b;
  unsigned x = threadIdx.x, y;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(y) : "r"(x));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(x) : "r"(y));
  asm volatile("pmevent 1;");
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"((unsigned)__cvta_generic_to_shared(&b)));
  __syncthreads();
  asm volatile("dp4a.u32.u32 %0, %1, %1, %0;" : "+r"(x) : "r"(y));
  asm volatile("activemask.b32 %0;" : "=r"(y));
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(b));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
  asm volatile("discard.global.L2 [%0], 128;" ::"l"((unsigned long long)p & ~127ull));
  p[0] = x + y;
}

void reduce_sequential(const float* X, float* sums, int n) {
  k<<<1, 64>>>((unsigned*)sums);
}
