// SPDX-License-Identifier: Apache-2.0
// clean
// Each tile of 16 lanes zeroes, adds up and reads its own sum, and then uses it once more.
#include <cooperative_groups.h>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

__global__ void sum_up(const int* in, int* out) {
  __shared__ int sums[8];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int* const sum = &sums[threadIdx.x / 16];
  for (int round = 0; round < 3; ++round) {
    if (tile.thread_rank() == 0) *sum = 0;
    tile.sync();
    atomicAdd(sum, in[threadIdx.x]);
    tile.sync();
    out[threadIdx.x] = *sum;
    tile.sync();
  }
}

int main() {
  int* out = OnDevice<int>(128);
  sum_up<<<1, 128>>>(OnDevice(std::vector<int>(128, 1)), out);
  FINISH();
  ExpectEqual("sum", 0, FromDevice(out, 128)[127], 16);
  return Result();
}
