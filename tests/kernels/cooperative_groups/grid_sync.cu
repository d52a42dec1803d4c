// SPDX-License-Identifier: Apache-2.0
// grid.sync() by a cooperative launch: a Jacobi iteration without a launch for each step.
#include <cooperative_groups.h>

#include "tests/kernels/expect.h"

namespace cg = cooperative_groups;

__global__ void jacobi(float* a, float* b, int count, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < count; i += grid.size())
      b[i] = i == 0 || i == count - 1 ? a[i] : (a[i - 1] + a[i + 1]) * 0.5f;
    grid.sync();
    float* kept = a;
    a = b;
    b = kept;
  }
}

int main() {
  int supported = 0, multiprocessors = 0, per_multiprocessor = 0;
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, jacobi, 128, 0));
  ExpectEqual("cooperative launch", 0, supported, 1);
  int count = 1000, steps = 12;
  std::vector<float> in = Eighths(count);
  float *a = OnDevice(in), *b = OnDevice<float>(count);
  void* arguments[] = {&a, &b, &count, &steps};
  CUDA(cudaLaunchCooperativeKernel((void*)jacobi, dim3(6), dim3(128), arguments, 0, nullptr));
  FINISH();
  const auto got = FromDevice(a, count);
  std::vector<float> other(count);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < count; ++i)
      other[i] = i == 0 || i == count - 1 ? in[i] : (in[i - 1] + in[i + 1]) * 0.5f;
    std::swap(in, other);
  }
  for (int i = 0; i < count; ++i) ExpectEqual("a", i, got[i], in[i]);
  return Result();
}
