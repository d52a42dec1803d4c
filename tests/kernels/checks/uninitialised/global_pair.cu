// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 8, access read, object "argument 1"
// Half of the pairs arrive. (Of a pair that is half there, the other half may be padding of a struct: no
// finding.)
#include "tests/kernels/expect.h"

__global__ void turn(const int2* in, int2* out) {
  const int2 pair = in[threadIdx.x];
  out[threadIdx.x] = make_int2(pair.y, pair.x);
}

int main() {
  const std::vector<int> numbers = Integers(128);
  int2 *in = OnDevice<int2>(64), *out = OnDevice<int2>(64);
  CUDA(cudaMemcpy(in, numbers.data(), 32 * sizeof(int2), cudaMemcpyHostToDevice));
  turn<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
