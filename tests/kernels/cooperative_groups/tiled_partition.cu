// SPDX-License-Identifier: Apache-2.0
// tiled_partition of 32, 16, 8 and 4, static and dynamic: shuffles, votes, ranks, and cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

template <int kSize>
__global__ void sum_tiles(const int* in, int* sums, int* reduced, unsigned* votes) {
  auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  if (tile.thread_rank() == 0) sums[i / kSize] = value;
  reduced[i] = cg::reduce(tile, in[i], cg::greater<int>());
  votes[i] = tile.ballot(in[i] > 0) * 2 + tile.any(in[i] % 7 == 0);
  tile.sync();
}

__global__ void sum_dynamic(const int* in, int* sums, int size) {
  __shared__ int scratch[64];
  cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), size);
  const int i = threadIdx.x, base = i - tile.thread_rank();
  scratch[i] = in[i];
  tile.sync();
  for (int half = tile.size() / 2; half > 0; half /= 2) {
    if (tile.thread_rank() < half) scratch[i] += scratch[i + half];
    tile.sync();
  }
  if (tile.thread_rank() == 0) sums[base / size] = scratch[base];
}

template <int kSize>
void Test(const std::vector<int>& in) {
  const int count = static_cast<int>(in.size());
  int *din = OnDevice(in), *sums = OnDevice<int>(count / kSize), *reduced = OnDevice<int>(count);
  unsigned* votes = OnDevice<unsigned>(count);
  sum_tiles<kSize><<<count / 64, 64>>>(din, sums, reduced, votes);
  FINISH();
  const auto s = FromDevice(sums, count / kSize), r = FromDevice(reduced, count);
  const auto v = FromDevice(votes, count);
  for (int i = 0; i < count; ++i) {
    const int base = i / kSize * kSize;
    unsigned sum = 0, ballot = 0, any = 0;
    int most = INT32_MIN;
    for (int k = 0; k < kSize; ++k) {
      sum += in[base + k];
      most = in[base + k] > most ? in[base + k] : most;
      ballot |= (in[base + k] > 0 ? 1u : 0u) << k;
      any |= in[base + k] % 7 == 0;
    }
    ExpectEqual("sum", i, s[i / kSize], static_cast<int>(sum));
    ExpectEqual("most", i, r[i], most);
    ExpectEqual("vote", i, v[i], ballot * 2 + any);
  }
}

int main() {
  const std::vector<int> in = Integers(128, 4);
  Test<32>(in);
  Test<16>(in);
  Test<8>(in);
  Test<4>(in);
  int *din = OnDevice(in), *sums = OnDevice<int>(8);
  for (int size : {8, 32}) {
    sum_dynamic<<<1, 64>>>(din, sums, size);
    FINISH();
    const auto got = FromDevice(sums, 64 / size);
    for (int tile = 0; tile < 64 / size; ++tile) {
      unsigned sum = 0;
      for (int k = 0; k < size; ++k) sum += in[tile * size + k];
      ExpectEqual("dynamic", tile, got[tile], static_cast<int>(sum));
    }
  }
  return Result();
}
