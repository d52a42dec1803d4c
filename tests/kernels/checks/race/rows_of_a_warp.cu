// SPDX-License-Identifier: Apache-2.0
// clean
// No barrier for the block, but each warp reads only what it wrote itself, with __syncwarp() between.
#include "tests/kernels/expect.h"

__global__ void reverse_rows(const int* in, int* out) {
  __shared__ int tile[4][32];
  const int lane = threadIdx.x, row = threadIdx.y;
  tile[row][lane] = in[row * 32 + lane];
  __syncwarp();
  out[row * 32 + lane] = tile[row][31 - lane];
}

int main() {
  reverse_rows<<<1, dim3(32, 4)>>>(OnDevice(Integers(128)), OnDevice<int>(128));
  FINISH();
  return 0;
}
