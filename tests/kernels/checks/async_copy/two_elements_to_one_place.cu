// SPDX-License-Identifier: Apache-2.0
// finding: race
// Near miss of one_element_by_two_lanes: lanes copy different elements to one place.
#include <cuda_pipeline.h>

#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int stage[32];
  const int t = threadIdx.x, last = t < 20 ? t : 19;
  __pipeline_memcpy_async(&stage[last], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[t] = stage[last];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
