// SPDX-License-Identifier: Apache-2.0
// clean
// Masks of all, of each half its own, of the lane alone, and the ballot of those who enter a branch.
#include "tests/kernels/expect.h"

__global__ void k(unsigned* out) {
  const unsigned t = threadIdx.x, own = t < 16 ? 0xffff : 0xffff0000;
  unsigned all = __ballot_sync(0xffffffff, t % 2);
  all += __any_sync(own, t == 3);
  all += __match_any_sync(1u << t, t / 8);
  all += __reduce_add_sync(own, t);
  const unsigned enter = __ballot_sync(0xffffffff, t % 3 == 0);
  if (t % 3 == 0) all += __popc(__ballot_sync(enter, 1));
  __syncwarp(own);
  out[t] = all;
}

int main() {
  unsigned* out = OnDevice<unsigned>(32);
  k<<<1, 32>>>(out);
  FINISH();
  ExpectBits("out", 0, FromDevice(out, 1)[0], 0xaaaaaaaau + 1 + 1 + 120 + 11);
  return Result();
}
