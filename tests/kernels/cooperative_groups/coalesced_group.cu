// SPDX-License-Identifier: Apache-2.0
// coalesced_threads(): stream compaction with one atomic for each group of lanes that have something.
#include <cooperative_groups.h>

#include <algorithm>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

__device__ int take_place(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void compact(const int* in, int count, int* out, int* counter) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    if (in[i] % 3 == 0) out[take_place(counter)] = in[i];
  }
}

__global__ void labelled(const int* in, int* sizes) {
  const int i = threadIdx.x;
  auto same = cg::labeled_partition(cg::coalesced_threads(), in[i] & 3);
  sizes[i] = same.size();
}

int main() {
  const int count = 2000;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *out = OnDevice<int>(count), *counter = OnDevice(std::vector<int>(1));
  compact<<<4, 128>>>(din, count, out, counter);
  FINISH();
  std::vector<int> wanted;
  for (int value : in)
    if (value % 3 == 0) wanted.push_back(value);
  const int kept = FromDevice(counter, 1)[0];
  ExpectEqual("count", 0, kept, static_cast<int>(wanted.size()));
  if (failures) return Result();
  auto got = FromDevice(out, kept);
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  for (int i = 0; i < kept; ++i) ExpectEqual("kept", i, got[i], wanted[i]);
  labelled<<<1, 32>>>(din, out);
  FINISH();
  const auto sizes = FromDevice(out, 32);
  for (int i = 0; i < 32; ++i) {
    int size = 0;
    for (int k = 0; k < 32; ++k) size += (in[k] & 3) == (in[i] & 3);
    ExpectEqual("size", i, sizes[i], size);
  }
  return Result();
}
