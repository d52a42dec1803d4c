// SPDX-License-Identifier: Apache-2.0
// clean
// Each warp has its own counts: it zeroes, counts and reads them, with a __syncwarp() in between.
#include "tests/kernels/expect.h"

__global__ void count(const int* in, int* out) {
  __shared__ int counts[4][32];
  int* const own = counts[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  own[lane] = 0;
  __syncwarp();
  atomicAdd(&own[in[threadIdx.x] % 8], 1);
  atomicAdd(&own[31 - lane], 1);
  __syncwarp();
  out[threadIdx.x] = own[lane];
}

int main() {
  count<<<1, 128>>>(OnDevice(std::vector<int>(128, 5)), OnDevice<int>(128));
  FINISH();
  return 0;
}
