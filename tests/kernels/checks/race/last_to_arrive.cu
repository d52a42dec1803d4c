// SPDX-License-Identifier: Apache-2.0
// clean
// By the value that its atomic gives a thread knows that all others are through: it may set the ticket back.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total, tickets;
  if (threadIdx.x == 0) total = tickets = 0;
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);
  __threadfence_block();
  if (atomicAdd(&tickets, 1) == blockDim.x - 1) {
    __threadfence_block();
    out[0] = total;
    tickets = 0;
  }
}

int main() {
  int* out = OnDevice<int>(1);
  sum_up<<<1, 128>>>(OnDevice(std::vector<int>(128, 1)), out);
  FINISH();
  ExpectEqual("sum", 0, FromDevice(out, 1)[0], 128);
  return Result();
}
