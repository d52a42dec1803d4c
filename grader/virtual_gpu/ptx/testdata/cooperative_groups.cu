// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) {
  __shared__ int s[256];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, x, sizeof s);
  cg::wait(b);
  auto t = cg::tiled_partition<8>(b);
  x[0] = cg::reduce(t, x[threadIdx.x], cg::plus<int>());
  x[1] = cg::inclusive_scan(t, x[1]);
  auto c = cg::coalesced_threads();
  x[2] = c.size() + c.thread_rank();
  if (c.thread_rank() == 0) x[3] = 2;
  auto l = cg::labeled_partition(t, x[5]);
  x[4] = l.size();
  b.sync();
  cg::this_grid().sync();
}
