// SPDX-License-Identifier: Apache-2.0
// Collectives of the library: inclusive and exclusive scan of a tile, invoke_one, memcpy_async with wait.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

__global__ void collectives(const int* in, int* inclusive, int* exclusive, int* staged) {
  __shared__ alignas(16) int tile_copy[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, tile_copy, in, sizeof tile_copy);
  cg::wait(block);
  const int i = threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, tile_copy[i]);
  exclusive[i] = cg::exclusive_scan(tile, tile_copy[i]);
  staged[i] = tile_copy[63 - i];
}

int main() {
  const int count = 64;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *inclusive = OnDevice<int>(count), *exclusive = OnDevice<int>(count),
      *staged = OnDevice<int>(count);
  collectives<<<1, count>>>(din, inclusive, exclusive, staged);
  FINISH();
  const auto a = FromDevice(inclusive, count), b = FromDevice(exclusive, count),
             c = FromDevice(staged, count);
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 32 == 0) sum = 0;
    ExpectEqual("exclusive", i, b[i], static_cast<int>(sum));
    ExpectEqual("inclusive", i, a[i], static_cast<int>(sum += in[i]));
    ExpectEqual("staged", i, c[i], in[63 - i]);
  }
  return Result();
}
