// SPDX-License-Identifier: Apache-2.0
// thread_block: rank, size, sync, indices.
#include <cooperative_groups.h>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

__device__ int sum_of_group(cg::thread_group group, int* scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < i) value += scratch[rank + i];
    group.sync();
  }
  return value;
}

__global__ void use_block(const int* in, int* out, int* ranks) {
  __shared__ int scratch[128];
  cg::thread_block block = cg::this_thread_block();
  const int i = block.group_index().x * block.size() + block.thread_rank();
  const int sum = sum_of_group(block, scratch, in[i]);
  if (block.thread_rank() == 0) out[blockIdx.x] = sum;
  ranks[i] = block.thread_index().y * 1000 + block.thread_index().x;
}

int main() {
  const int blocks = 3, count = blocks * 128;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *out = OnDevice<int>(blocks), *ranks = OnDevice<int>(count);
  use_block<<<blocks, dim3(16, 8)>>>(din, out, ranks);
  FINISH();
  for (int b = 0; b < blocks; ++b) {
    unsigned sum = 0;
    for (int i = 0; i < 128; ++i) sum += in[b * 128 + i];
    ExpectEqual("sum", b, FromDevice(out, blocks)[b], static_cast<int>(sum));
  }
  const auto got = FromDevice(ranks, count);
  for (int i = 0; i < count; ++i) ExpectEqual("rank", i, got[i], i % 128 / 16 * 1000 + i % 16);
  return Result();
}
