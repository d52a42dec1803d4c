// SPDX-License-Identifier: Apache-2.0
// finding: mask_without_lane, line 12
// finding: mask_without_lane, line 13
// finding: mask_without_lane, line 14
// finding: mask_without_lane, line 15
// finding: mask_without_lane, line 16
// Votes, matches and sums with a mask that leaves out lanes which call them.
#include "tests/kernels/expect.h"

__global__ void k(unsigned* out, unsigned mask) {
  const unsigned t = threadIdx.x;
  unsigned all = __ballot_sync(0xffff, t % 2);
  all += __any_sync(0xfffffffe, t == 3);
  all += __match_any_sync(mask, t / 8);
  all += __reduce_add_sync(mask, t);
  __syncwarp(0x7fffffff);
  out[t] = all;
}

int main() {
  k<<<1, 32>>>(OnDevice<unsigned>(32), 0xffff0000);
  cudaDeviceSynchronize();
  return 0;
}
