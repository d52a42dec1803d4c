// SPDX-License-Identifier: Apache-2.0
// clean
// A kernel sets both members, and another one copies the whole struct: nobody has to set its padding.
#include "tests/kernels/expect.h"

struct Sample {
  int number;
  double value;
};

__global__ void set(Sample* samples) {
  samples[threadIdx.x].number = static_cast<int>(threadIdx.x);
  samples[threadIdx.x].value = 0.5 * threadIdx.x;
}

__global__ void turn(const Sample* in, Sample* out) {
  out[blockDim.x - 1 - threadIdx.x] = in[threadIdx.x];
}

int main() {
  Sample *in = OnDevice<Sample>(64), *out = OnDevice<Sample>(64);
  set<<<1, 64>>>(in);
  turn<<<1, 64>>>(in, out);
  std::vector<Sample> samples(64);
  CUDA(cudaMemcpy(samples.data(), out, 64 * sizeof(Sample), cudaMemcpyDeviceToHost));
  return samples[0].number == 63 && samples[63].value == 0.0 ? 0 : 1;
}
